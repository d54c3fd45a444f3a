import type { CompiledLanguage } from './language.ts'
import type { NounKind } from './patterns.ts'
import { phraseEnd } from './phrases.ts'
import type { Token } from './tokens.ts'

interface NounRequest {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
}

const maxNounWords = 2
const maxRoleWords = 4

/** Where an occupation of up to four words may end. */
export function roleEnds({ tokens, language }: NounRequest, at: number): number[] {
  return Array.from({ length: maxRoleWords }, (_, index) => at + index + 1).filter((end) =>
    language.roles.has(tokens[end - 1]?.lower ?? ''),
  )
}

/** Nouns that begin at a token, with their keys, the longest first. */
export function nounsAt(request: NounRequest, at: number, kind: NounKind) {
  const { tokens, language } = request
  const max = language.isUnspaced ? maxNounWords * 4 : maxNounWords
  return Array.from({ length: max }, (_, index) => at + max - index).flatMap((end) => {
    const words = tokens.slice(at, end)
    if (words.length < end - at || words.some(isNoNoun)) return []
    const noun = findKey(language, words, kind)
    return noun === undefined ? [] : [{ noun, end }]
  })
}

/** `'s` is a token of its own. */
function isNoNoun({ kind, lower }: Token): boolean {
  return kind === 'mark' || lower.startsWith("'")
}

/** Plurals of known nouns have the key of the noun. */
function findKey(language: CompiledLanguage, words: readonly Token[], kind: NounKind) {
  const noun = words.map(({ lower }) => lower).join(language.isUnspaced ? '' : ' ')
  const nouns = kind === 'person' ? language.personNouns : language.projectNouns
  const [prefix = ''] = [...language.nounPrefixes].filter((start) => noun.startsWith(start))
  const forms = [noun, noun.replace(/(?<=\p{L}{3})s$/u, ''), noun.slice(prefix.length)]
  const [key] = forms.flatMap((form) => nouns.get(form) ?? [])
  const isAllowed = kind === 'project' && !isVague(language, noun, words)
  return key ?? (isAllowed ? noun : undefined)
}

function isVague(language: CompiledLanguage, noun: string, words: readonly Token[]): boolean {
  const { vagueNouns, emptyValues } = language
  return (
    (language.isUnspaced && holdsAdverb(language, words)) ||
    vagueNouns.has(noun) ||
    words.some(({ lower }) => vagueNouns.has(lower) || emptyValues.has(lower))
  )
}

/** `数据库已经`: without spaces, an adverb may look like a part of the noun. */
function holdsAdverb(language: CompiledLanguage, words: readonly Token[]): boolean {
  return words.some((_, at) =>
    [language.adverbs, language.changeWords].some(
      (phrases) => at > 0 && phraseEnd(words, at, phrases) !== undefined,
    ),
  )
}
