import { type Token, tokenize } from './tokens.ts'

/** Each alternative is a sequence of lower-case tokens. */
type Words = readonly (readonly string[])[]
type Part = { readonly words: Words } | 'gap'

/** Phrases by their first word. */
export type PhraseIndex = ReadonlyMap<string, readonly (readonly Part[])[]>

export interface Span {
  readonly start: number
  readonly end: number
}

/** Words that `..` stands for. */
const maxGap = 8

/** The items of a list in a language table. A comma in front of a digit is part of an item. */
export function splitList(list: string): string[] {
  return list
    .split(/,(?!\d)/)
    .map((item) => item.replaceAll(/\s+/g, ' ').trim())
    .filter((item) => item !== '')
}

/** `a|b_c` as token sequences. */
export function toWords(item: string): Words {
  return item.split('|').map((one) => {
    // A contraction is a token of its own only behind its word.
    if (one.startsWith("'")) return [one]
    return tokenize(one.replaceAll('_', ' ')).map(({ lower }) => lower)
  })
}

export function compilePhrases(list: string): PhraseIndex {
  const index = new Map<string, (readonly Part[])[]>()
  for (const phrase of splitList(list)) {
    const parts = phrase
      .split(' ')
      .map((item): Part => (item === '..' ? 'gap' : { words: toWords(item) }))
    const [first] = parts
    if (first === undefined || first === 'gap') continue
    for (const firstWord of new Set(first.words.map(([word = '']) => word)))
      index.set(firstWord, [...(index.get(firstWord) ?? []), parts])
  }
  return index
}

/** All places where a phrase begins, with the end of its longest match. */
export function findPhrases(tokens: readonly Token[], index: PhraseIndex): Span[] {
  return tokens.flatMap((_, start) => {
    const end = phraseEnd(tokens, start, index)
    return end === undefined ? [] : [{ start, end }]
  })
}

/** The end of the longest phrase that begins here. */
export function phraseEnd(
  tokens: readonly Token[],
  start: number,
  index: PhraseIndex,
): number | undefined {
  const ends = (index.get(tokens[start]?.lower ?? '') ?? [])
    .map((parts) => matchParts(tokens, start, parts))
    .filter((end) => end !== undefined)
  return ends.length === 0 ? undefined : Math.max(...ends)
}

function matchParts(
  tokens: readonly Token[],
  start: number,
  [part, ...rest]: readonly Part[],
): number | undefined {
  if (part === undefined) return start
  if (part === 'gap') return matchGap(tokens, start, rest)
  for (const words of part.words) {
    const end = wordsEnd(tokens, start, words)
    const matched = end === undefined ? undefined : matchParts(tokens, end, rest)
    if (matched !== undefined) return matched
  }
  return undefined
}

function matchGap(tokens: readonly Token[], start: number, rest: readonly Part[]) {
  for (let at = start; at <= Math.min(start + maxGap, tokens.length); at++) {
    const end = matchParts(tokens, at, rest)
    if (end !== undefined) return end
  }
  return undefined
}

/** The end of a sequence of words that stands here. */
export function wordsEnd(
  tokens: readonly Token[],
  start: number,
  words: readonly string[],
): number | undefined {
  const matches = words.every((word, index) => tokens[start + index]?.lower === word)
  return matches ? start + words.length : undefined
}

interface LimitWords extends TimeWords {
  readonly restrictions: PhraseIndex
  readonly wholes: ReadonlySet<string>
}

/** `on my phone`, `from the list`; not `in the summer`, `from my stack`. */
export function isRestriction(tokens: readonly Token[], at: number, language: LimitWords): boolean {
  const end = phraseEnd(tokens, at, language.restrictions)
  if (end === undefined || timeEnd(tokens, at, language) !== undefined) return false
  return !tokens.slice(end, end + 2).some(({ lower }) => language.wholes.has(lower))
}

interface TimeWords {
  readonly timePrepositions: PhraseIndex
  readonly timeNouns: ReadonlySet<string>
}

const maxTimeWords = 4
const laterTimes: ReadonlySet<string> = new Set(
  'next coming following nächste nächsten nächster kommende kommenden every each'.split(' '),
)

/** `next` sprint */
export function isLaterTime({ lower }: Token): boolean {
  return laterTimes.has(lower)
}

/** The end of a time: `over the summer`, `um zwei Wochen`. */
export function timeEnd(
  tokens: readonly Token[],
  start: number,
  { timePrepositions, timeNouns }: TimeWords,
): number | undefined {
  const from = phraseEnd(tokens, start, timePrepositions)
  if (from === undefined) return undefined
  for (let at = from; at < from + maxTimeWords; at++) {
    const token = tokens[at]
    if (!token || token.kind === 'mark' || laterTimes.has(token.lower)) return undefined
    if (timeNouns.has(token.lower)) return at + 1
  }
  return undefined
}
