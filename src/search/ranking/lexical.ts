import { fillColumn, noNeighbour, type RankingInput } from './ranking-input.ts'
import { interpolateWeight, weights } from './weights.ts'

export type Neighbourhood = Pick<RankingInput, 'scoredCount' | 'words' | 'before' | 'after'>

/** What is asked of an index of words about those that may answer. */
export interface TermStatistics {
  /** From nearly 0 on; a term that nothing holds is as rare as can be. */
  idfOf(term: string): number
  /** How often each slot holds each of these terms, slot by slot, in their order. */
  countTerms(terms: readonly string[]): ArrayLike<number>
  /** BM25 of one text, given how often it holds each of these terms. */
  createScore(terms: readonly string[]): (counts: ArrayLike<number>, length: number) => number
  /** How many terms a slot has, repetitions among them. */
  lengthOf(slot: number): number
}

/** Words by themselves, where what was said beside a short text lends it some of its own. */
export function scoreLexical(
  words: TermStatistics,
  queryTerms: readonly string[],
  { scoredCount, words: wordsOf, before, after }: Neighbourhood,
): Pick<RankingInput, 'lexical' | 'coverage'> {
  const { score, coverage } = createTermScorer(words, [...new Set(queryTerms)])
  const lexical = fillColumn(scoredCount, (slot) => {
    const share = interpolateWeight(weights.neighbourTerms, wordsOf[slot] as number)
    return score(slot, { before: before[slot] as number, after: after[slot] as number, share })
  })
  return { lexical, coverage }
}

/** Who lends some of its words; the share is the same for both. */
interface NeighbourTerms {
  readonly before: number
  readonly after: number
  readonly share: number
}

const noNeighbours: NeighbourTerms = { before: noNeighbour, after: noNeighbour, share: 0 }

/** Of each slot BM25 for these terms, and the share of them that it holds, each as much as it is rare. */
export function createTermScorer(words: TermStatistics, terms: readonly string[]) {
  const counts = words.countTerms(terms)
  const scoreOf = words.createScore(terms)
  const idfs = terms.map(words.idfOf)
  const totalIdf = idfs.reduce((sum, rarity) => sum + rarity, 0)
  const frequencies = new Float64Array(terms.length)
  const add = (slot: number, share: number) => {
    if (slot === noNeighbour) return
    const from = slot * frequencies.length
    for (let term = 0; term < frequencies.length; term++)
      frequencies[term] = (frequencies[term] as number) + share * (counts[from + term] as number)
  }
  return {
    score: (slot: number, { before, after, share } = noNeighbours): number => {
      frequencies.fill(0)
      add(slot, 1)
      add(before, share)
      add(after, share)
      return scoreOf(frequencies, words.lengthOf(slot))
    },
    coverage: (slot: number): number => {
      const from = slot * idfs.length
      let sum = 0
      for (let term = 0; term < idfs.length; term++)
        if ((counts[from + term] as number) > 0) sum += idfs[term] as number
      return totalIdf > 0 ? sum / totalIdf : 0
    },
  }
}
