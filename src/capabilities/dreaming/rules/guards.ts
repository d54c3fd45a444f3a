import type { CompiledLanguage } from './language.ts'
import { findPhrases, phraseEnd } from './phrases.ts'
import type { Sentence } from './sentences.ts'
import type { Token } from './tokens.ts'

const laughter =
  /[\u{1F600}-\u{1F606}\u{1F609}\u{1F61C}-\u{1F61D}\u{1F643}\u{1F602}\u{1F923}\u{1F92A}\u{1F638}\u{1F639}\u{1F921}]/u

/** Why a sentence states nothing, or undefined. `isExempt` are the tokens that the statement itself uses. */
export function findGuard(
  { guards }: CompiledLanguage,
  tokens: readonly Token[],
  isExempt: (index: number) => boolean,
  isEvent: boolean,
): string | undefined {
  if (tokens.some(({ text }) => text === '?' || text === '？' || text === '؟')) return 'question'
  if (tokens.some(({ text }) => laughter.test(text))) return 'joke'
  for (const [kind, index] of guards) {
    if (isEvent && kind === 'ago') continue
    const hit = findPhrases(tokens, index).some(({ start, end }) => {
      for (let at = start; at < end; at++) if (!isExempt(at)) return true
      return false
    })
    if (hit) return kind
  }
  return undefined
}

/** Whether this sentence takes the one before it back: a joke marker, a denial or a tag question. */
export function isRetraction(
  languages: readonly CompiledLanguage[],
  { tokens }: Sentence,
): boolean {
  const words = tokens.filter(({ kind }) => kind !== 'mark')
  const isTag = words.length <= 3 && tokens.some(({ text }) => /^[?？]$/.test(text))
  if (isTag || tokens.some(({ text }) => laughter.test(text))) return true
  return languages.some((language) => {
    const end = phraseEnd(words, 0, language.retractions)
    if (end !== undefined && (end === words.length || end > 1)) return true
    const joke = language.guards.find(([kind]) => kind === 'joke')?.[1]
    return joke !== undefined && words.length <= 6 && findPhrases(words, joke).length > 0
  })
}

/** Whether this sentence makes the following ones a story, a quotation or a hypothesis. */
export function isOpener(languages: readonly CompiledLanguage[], { tokens }: Sentence): boolean {
  const endsOpen = /^[:：]$/.test(tokens.at(-1)?.text ?? '')
  return languages.some((language) => {
    if (phraseEnd(tokens, 0, language.openers) !== undefined) return true
    return language.guards.some(([kind, index]) => {
      const poisons =
        kind === 'fiction' || (endsOpen && (kind === 'reported' || kind === 'hypothesis'))
      return poisons && findPhrases(tokens, index).length > 0
    })
  })
}
