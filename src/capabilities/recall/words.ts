import { sliceText } from '../../kernel/redaction/slice-text.ts'
import { isStopWord, readTerms, weightOf } from '../../search/index.ts'
import { type Day, listDays } from './temporal-intent.ts'

/** The searchable words of a query. */
export interface QueryWords {
  /** Distinct, lower case, at least two characters; compounds (`build-time`) stay whole. */
  readonly tokens: readonly string[]
  /** Character pairs of scripts without spaces. */
  readonly pairs: readonly string[]
}

const maxQueryLength = 10_000
const maxTokens = 64
const maxTokenLength = 100
const maxPairs = 24

const spaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu
const word = /[\p{L}\p{N}\p{M}_]+(?:['’.@:/+-][\p{L}\p{N}\p{M}_]+)*/gu

export function parseQueryWords(query: string): QueryWords {
  const text = sliceText(query, 0, maxQueryLength).toLowerCase().replaceAll('’', "'")
  const runs = text.match(spaceless) ?? []
  const tokens = (text.replaceAll(spaceless, ' ').match(word) ?? [])
    .map((token) => token.replace(/'s$/, ''))
    .filter((token) => isSearchable(token))
  return {
    tokens: [...new Set(tokens)].slice(0, maxTokens),
    pairs: [...new Set(runs.flatMap(toPairs))].slice(0, maxPairs),
  }
}

/** Share of the query words that a text contains, 0..1. */
export function coverageOf({ tokens, pairs }: QueryWords, content: string): number {
  const terms = [...tokens, ...pairs]
  if (terms.length === 0) return 0
  const text = content.toLowerCase()
  return terms.filter((token) => text.includes(token)).length / terms.length
}

function isSearchable(token: string): boolean {
  const length = [...token].length
  return length > 1 && length <= maxTokenLength && /[\p{L}\p{N}]/u.test(token) && !isStopWord(token)
}

function toPairs(run: string): string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/**
 * Matches texts that mention the query: one of its terms in any inflected form,
 * a character pair, or one of its days. The parts of a date are not terms.
 */
export function createMentionMatcher(
  query: string,
  days = listDays(query),
): (text: string) => boolean {
  const terms = new Set(readTerms(removeDays(query)).filter((term) => weightOf(term) === 1))
  const dayStarts = new Set(days.map(({ start }) => start.getTime()))
  const isQueryDay = ({ start }: Day) => dayStarts.has(start.getTime())
  return (text) =>
    readTerms(text).some((term) => terms.has(term)) ||
    (dayStarts.size > 0 && listDays(text).some(isQueryDay))
}

export function removeDays(text: string): string {
  return listDays(text).reduce((rest, { text: day }) => rest.replaceAll(day, ' '), text)
}
