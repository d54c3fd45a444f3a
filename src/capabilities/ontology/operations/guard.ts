import type { Contradiction } from '../store/rows.ts'

interface Verdict {
  readonly detected: boolean
  readonly lexicalOverlap: number
  readonly reason: Contradiction['reason'] | null
}

const negations: ReadonlySet<string> = new Set(
  'not no never cannot cant doesnt dont isnt wasnt wont without'.split(' '),
)
const ideographNegations: ReadonlySet<string> = new Set('不没沒未非无無')
const antonyms = [
  ['enabled', 'disabled'],
  ['allow', 'deny'],
  ['accept', 'reject'],
  ['always', 'never'],
  ['on', 'off'],
  ['true', 'false'],
] as const
const functionWords: ReadonlySet<string> = new Set(
  `the and for are was were has have had its with that this from into than then them they but not
  you your our his her who whom which will would can could should shall may might must does did
  been being about over under also only very just`.split(/\s+/),
)
const ignoredWords: ReadonlySet<string> = new Set([
  ...negations,
  ...antonyms.flat(),
  ...functionWords,
])
const minOverlap = 2
const minWordLength = 3

/** Whether two values of one slot seem to contradict each other. */
export function compareValues(one: string, other: string): Verdict {
  const [left, right] = [toTokens(one), toTokens(other)]
  const lexicalOverlap = [...left.content].filter((word) => right.content.has(word)).length
  const reason = lexicalOverlap < minOverlap ? null : findReason(left, right)
  return { detected: reason !== null, lexicalOverlap, reason }
}

type Tokens = ReturnType<typeof toTokens>

function toTokens(value: string) {
  const text = value.normalize('NFKC').toLowerCase().replaceAll(/['’ʼ]/g, '')
  const words = new Set(text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
  const ideographs = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu) ?? []
  const pairs = ideographs.flatMap(listPairs)
  const content = [...words].filter(
    (word) => [...word].length >= minWordLength && !ignoredWords.has(word) && !hasIdeographs(word),
  )
  const isNegated =
    [...words].some((word) => negations.has(word)) ||
    ideographs.some((run) => [...run].some((letter) => ideographNegations.has(letter)))
  return { words, isNegated, content: new Set([...content, ...pairs]) }
}

function hasIdeographs(word: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(word)
}

/** Pairs of neighbours, as if negations were absent. */
function listPairs(run: string): string[] {
  const letters = [...run].filter((letter) => !ideographNegations.has(letter))
  return letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`)
}

function findReason(left: Tokens, right: Tokens): Contradiction['reason'] | null {
  const isOpposed = antonyms.some(
    ([one, other]) =>
      (left.words.has(one) && right.words.has(other)) ||
      (left.words.has(other) && right.words.has(one)),
  )
  if (left.isNegated !== right.isNegated) return 'negation_mismatch'
  return isOpposed ? 'antonym_conflict' : null
}
