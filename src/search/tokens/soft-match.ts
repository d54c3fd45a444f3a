import { idf } from '../ranking/lexical.ts'
import { maxSimilarity } from './similarity-memory.ts'
import { maxQueryTokens, type TokenIds, type TokenSimilarity } from './token-similarity.ts'

/** The weight of length normalization. */
const lengthWeight = 0.55

/** The share of the query's meaning that each slot covers, 0 to 1. */
export interface SoftMatch {
  readonly coverage: Float64Array
  /** The same, normalized by length. */
  readonly normalised: Float64Array
}

interface Matching {
  /** Tokens of the query. */
  readonly queryTokens: readonly number[]
  readonly slots: readonly number[]
}

/** Token statistics of the corpus, and tokens of the candidates. */
export interface TokenStatistics {
  /** Distinct tokens. */
  of(slot: number): TokenIds
  /** The number of tokens. */
  lengthOf(slot: number): number
  /** Document frequency of a token, and the number of texts. */
  documentFrequency(token: number): number
  count(): number
  averageLength(): number
}

/**
 * For each query token the most similar token of the text counts, weighted by IDF. Long queries are
 * cut to their rarest tokens.
 */
export function createSoftMatch(
  lists: TokenStatistics,
  similarity: TokenSimilarity,
  { queryTokens, slots }: Matching,
): SoftMatch {
  const distinct = [...new Set(queryTokens)]
    .toSorted((a, b) => lists.documentFrequency(a) - lists.documentFrequency(b) || a - b)
    .slice(0, maxQueryTokens)
  const idfs = distinct.map((token) =>
    idf({ documentFrequency: lists.documentFrequency(token), documentCount: lists.count() }),
  )
  const totalIdf = idfs.reduce((sum, idf) => sum + idf, 0)
  const coverage = new Float64Array(slots.length)
  if (totalIdf > 0)
    similarity.compare(distinct, slots.map(lists.of), (text, similarities) => {
      let sum = 0
      for (let at = 0; at < idfs.length; at++)
        sum += (idfs[at] as number) * (similarities[at] as number)
      coverage[text] = sum / (totalIdf * maxSimilarity)
    })
  const averageLength = lists.averageLength()
  const normalised = coverage.map((share, at) => {
    const length = lists.lengthOf(slots[at] as number)
    return share / (1 - lengthWeight + (lengthWeight * length) / averageLength)
  })
  return { coverage, normalised }
}
