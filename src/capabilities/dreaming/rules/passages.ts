import { isHostile } from './hostile.ts'
import { languages } from './language.ts'
import { maskBlocks, maskedShare } from './mask.ts'
import { findPhrases, phraseEnd } from './phrases.ts'
import type { Sentence } from './sentences.ts'
import { maskCharacter } from './tokens.ts'

/** A turn of at most this length is one passage. */
const maxWholeTurn = 600
const maxMaskedShare = 0.5
const politeWords: ReadonlySet<string> = new Set(['please', 'bitte', '请'])

/** Paragraphs of a turn, with the heading above them. Offsets count in the turn. */
export interface Passage {
  readonly start: number
  readonly end: number
}

/** A short turn is one passage; a longer one has a passage for each paragraph. */
export function splitPassages(text: string): Passage[] {
  if (text.length <= maxWholeTurn) return [{ start: 0, end: text.length }]
  const passages: Passage[] = []
  let [start, at] = [0, 0]
  let [hasText, isAfterBlank] = [false, false]
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === ''
    if (!isBlank && isAfterBlank && hasText) {
      passages.push({ start, end: at })
      start = at
      hasText = false
    }
    hasText ||= !isBlank && !isHeading(line)
    isAfterBlank = isBlank
    at += line.length + 1
  }
  return [...passages, { start, end: text.length }]
}

function isHeading(line: string): boolean {
  return /^\s{0,3}#{1,6}\s/.test(line)
}

/** Passages that address the memory or its maker, and those around them. */
export function findHostile(text: string, passages: readonly Passage[]): ReadonlySet<Passage> {
  const visible = maskBlocks(text)
  const hostile = passages.map(({ start, end }) => isHostile(languages, visible.slice(start, end)))
  return new Set(passages.filter((_, at) => hostile[at - 1] || hostile[at] || hostile[at + 1]))
}

/** The sentences of each passage. Both lists are in the order of their offsets. */
export function groupSentences(
  passages: readonly Passage[],
  sentences: readonly Sentence[],
): readonly (readonly Sentence[])[] {
  const groups = passages.map((): Sentence[] => [])
  let at = 0
  for (const sentence of sentences) {
    while (sentence.start >= (passages[at]?.end ?? Number.POSITIVE_INFINITY)) at++
    groups[at]?.push(sentence)
  }
  return groups
}

interface Material {
  readonly text: string
  readonly masked: string
  readonly passages: readonly Passage[]
  /** Of each passage. */
  readonly groups: readonly (readonly Sentence[])[]
}

/** Passages that quote a text, and all passages from a request on to work on a text. */
export function findMaterial({ text, masked, passages, groups }: Material): ReadonlySet<Passage> {
  const task = groups.findIndex(([first]) => first !== undefined && isTask(first))
  const words = groups.map((sentences) => sentences.some(hasMaterialWord))
  const isQuoted = ({ start, end }: Passage, at: number) => {
    const visible = masked.slice(start, end)
    if (!visible.includes(maskCharacter)) return false
    if (words[at - 1] || words[at] || words[at + 1]) return true
    return maskedShare(text.slice(start, end), visible) > maxMaskedShare
  }
  return new Set(passages.filter((one, at) => (task >= 0 && at >= task) || isQuoted(one, at)))
}

function isTask({ tokens }: Sentence): boolean {
  const offset = politeWords.has(tokens[0]?.lower ?? '') ? 1 : 0
  return languages.some(({ tasks }) => phraseEnd(tokens, offset, tasks) !== undefined)
}

function hasMaterialWord({ tokens }: Sentence): boolean {
  return languages.some(({ material }) => findPhrases(tokens, material).length > 0)
}
