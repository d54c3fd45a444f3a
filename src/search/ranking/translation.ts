import { type Column, fillColumn, type RankingInput } from './ranking-input.ts'

/** From this share of the query on, words of another language show that the text is in it. */
const minForeign = 0.25
/** The cosine of texts with the same words. */
const typicalCosine = { base: 0.2, words: 0.35 } as const

type Signals = Pick<RankingInput, 'vector' | 'passage' | 'soft' | 'softCoverage'>

interface Coverage {
  readonly coverage: (slot: number) => number
  /** The share of query terms that a text has in another language only. */
  readonly foreignCoverage: (slot: number) => number
}

/**
 * Vectors of words know one language, so a text in another one gets the similarity that its words
 * have on average.
 */
export function raiseForeign(signals: Signals, { coverage, foreignCoverage }: Coverage): Signals {
  const covered = fillColumn(signals.soft.length, (slot) =>
    foreignCoverage(slot) >= minForeign ? coverage(slot) : 0,
  )
  if (!covered.some((share) => share > 0)) return signals
  const raise = (column: Column, minimum: (share: number) => number) =>
    fillColumn(column.length, (slot) => {
      const share = covered[slot] as number
      return share > 0 ? Math.max(column[slot] as number, minimum(share)) : (column[slot] as number)
    })
  const toCosine = (share: number) => typicalCosine.base + typicalCosine.words * share
  return {
    vector: raise(signals.vector, toCosine),
    passage: raise(signals.passage, toCosine),
    soft: raise(signals.soft, (share) => share),
    softCoverage: raise(signals.softCoverage, (share) => share),
  }
}
