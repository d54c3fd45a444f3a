import { idf } from '../ranking/bm25.ts'
import { maxSimilarity } from './similarity-memory.ts'
import { maxQueryTokens, type TokenIds, type TokenSimilarity } from './token-similarity.ts'

/** How much a text's length takes away from what it matches. */
const lengthWeight = 0.55

/** How much of what a question means the words of each slot mean, from 0 to 1, in their order. */
export interface SoftMatch {
  readonly coverage: Float64Array
  /** The same, less for a text that is longer than most. */
  readonly normalised: Float64Array
}

interface Matching {
  /** The pieces of the question. */
  readonly queryTokens: readonly number[]
  readonly slots: readonly number[]
}

/** The pieces of all texts, and of those that may answer. */
export interface TokenStatistics {
  /** Each once. */
  of(slot: number): TokenIds
  /** How many there are, repetitions among them. */
  lengthOf(slot: number): number
  /** In how many texts a piece is, and how many texts there are. */
  documentFrequency(token: number): number
  count(): number
  averageLength(): number
}

/** For each piece of the question the likest of the text counts, the more the rarer the piece is; of a longer question the rarest pieces are enough. */
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
  const totalIdf = idfs.reduce((sum, rarity) => sum + rarity, 0)
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
