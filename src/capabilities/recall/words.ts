import { isStopWord } from '../../search/index.ts'

/** What is left of a question when everything is gone that finds nothing. */
export interface Words {
  /** Lower case, each at least two characters, none twice; joined parts (`build-time`) stay together. */
  readonly tokens: readonly string[]
  /** Pairs of characters from scripts that write no spaces, where the index knows no words. */
  readonly pairs: readonly string[]
}

const longestQuery = 10_000
const mostTokens = 64
const longestToken = 100
const mostPairs = 24

const spaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu
const word = /[\p{L}\p{N}\p{M}_]+(?:['’.@:/+-][\p{L}\p{N}\p{M}_]+)*/gu

export function readWords(query: string): Words {
  const text = query.slice(0, longestQuery).toWellFormed().toLowerCase().replaceAll('’', "'")
  const runs = text.match(spaceless) ?? []
  const tokens = (text.replaceAll(spaceless, ' ').match(word) ?? [])
    .map((token) => token.replace(/'s$/, ''))
    .filter((token) => isWorthSearching(token))
  return {
    tokens: [...new Set(tokens)].slice(0, mostTokens),
    pairs: [...new Set(runs.flatMap(toPairs))].slice(0, mostPairs),
  }
}

/** How many of the question's words a text holds, 0..1. */
export function coverageOf({ tokens, pairs }: Words, content: string): number {
  const asked = [...tokens, ...pairs]
  if (asked.length === 0) return 0
  const text = content.toLowerCase()
  return asked.filter((token) => text.includes(token)).length / asked.length
}

function isWorthSearching(token: string): boolean {
  const length = [...token].length
  return length > 1 && length <= longestToken && /[\p{L}\p{N}]/u.test(token) && !isStopWord(token)
}

function toPairs(run: string): string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
