import type { TermGroup } from '../text/lexicon/expand-terms.ts'
import { fillColumn, noNeighbour, type RankingInput } from './ranking-input.ts'
import { interpolateWeight, weights } from './weights.ts'

type Neighbourhood = Pick<RankingInput, 'scoredCount' | 'words' | 'before' | 'after'>

/** Term statistics of an index, for candidate slots. */
export interface TermStatistics {
  /** IDF; highest for unknown terms. */
  idfOf(term: string): number
  /** Term frequencies, slot by slot, in the order of the terms. */
  countTerms(terms: readonly string[]): ArrayLike<number>
  /** BM25 of one text, from term frequencies. */
  createScore(terms: readonly string[]): (counts: ArrayLike<number>, length: number) => number
  /** The number of terms in a slot. */
  lengthOf(slot: number): number
}

interface ForeignCoverage {
  /** The share of query terms that a text has in another language only. */
  readonly foreignCoverage: (slot: number) => number
}

/** BM25 with the terms of a short text extended by those of its neighbours. */
export function scoreLexical(
  words: TermStatistics,
  queryTerms: readonly TermGroup[],
  { scoredCount, words: wordsOf, before, after }: Neighbourhood,
): Pick<RankingInput, 'lexical' | 'coverage'> & ForeignCoverage {
  const { score, coverage, foreignCoverage } = createTermScorer(words, queryTerms)
  const lexical = fillColumn(scoredCount, (slot) => {
    const share = interpolateWeight(weights.neighbourTerms, wordsOf[slot] as number)
    return score(slot, { before: before[slot] as number, after: after[slot] as number, share })
  })
  return { lexical, coverage, foreignCoverage }
}

/** Neighbours, and the weight of their terms. */
interface NeighbourTerms {
  readonly before: number
  readonly after: number
  readonly share: number
}

const noNeighbours: NeighbourTerms = { before: noNeighbour, after: noNeighbour, share: 0 }

/**
 * BM25 and IDF-weighted term coverage of each slot. Of terms with the same meaning the best counts.
 * A weight under 1 reduces a term.
 */
export function createTermScorer(words: TermStatistics, groups: readonly TermGroup[]) {
  const weightedTerms = groups.flat()
  const terms = weightedTerms.map(({ term }) => term)
  const termWeights = weightedTerms.map(({ weight }) => weight)
  const groupOf = groups.flatMap((group, index) => group.map(() => index))
  const counts = words.countTerms(terms)
  const scoreOf = words.createScore(terms)
  const idfs = terms.map(words.idfOf)
  const groupIdfs = groups.map(([first]) => words.idfOf(first?.term ?? ''))
  const totalIdf = groupIdfs.reduce((sum, idf) => sum + idf, 0)
  const frequencies = new Float64Array(terms.length)
  const add = (slot: number, share: number) => {
    if (slot === noNeighbour) return
    const from = slot * frequencies.length
    for (let term = 0; term < frequencies.length; term++)
      frequencies[term] =
        (frequencies[term] as number) +
        share * (termWeights[term] as number) * (counts[from + term] as number)
  }
  /** The IDF-weighted share of the groups with a term that is present. */
  const sumGroups = (isPresent: (term: number) => boolean) => {
    const best = new Float64Array(groups.length)
    for (let term = 0; term < idfs.length; term++) {
      const group = groupOf[term] as number
      if (isPresent(term))
        best[group] = Math.max(best[group] as number, termWeights[term] as number)
    }
    const sum = groupIdfs.reduce((sum, idf, group) => sum + idf * (best[group] as number), 0)
    return totalIdf > 0 ? sum / totalIdf : 0
  }
  return {
    score: (slot: number, { before, after, share } = noNeighbours): number => {
      frequencies.fill(0)
      add(slot, 1)
      add(before, share)
      add(after, share)
      if (terms.length > groups.length) keepBestOfGroups(frequencies, { groupOf, idfs })
      return scoreOf(frequencies, words.lengthOf(slot))
    },
    coverage: (slot: number): number => {
      const from = slot * idfs.length
      return sumGroups((term) => (counts[from + term] as number) > 0)
    },
    foreignCoverage: (slot: number): number => {
      if (!weightedTerms.some(({ isForeign }) => isForeign)) return 0
      const from = slot * idfs.length
      const has = (term: number) => (counts[from + term] as number) > 0
      const own = sumGroups((term) => has(term) && weightedTerms[term]?.isForeign === false)
      return sumGroups(has) - own
    },
  }
}

interface GroupedTerms {
  /** The group of each term; terms of a group are neighbours. */
  readonly groupOf: readonly number[]
  readonly idfs: readonly number[]
}

/** Clears all terms of a group but the one that adds most. */
function keepBestOfGroups(frequencies: Float64Array, { groupOf, idfs }: GroupedTerms): void {
  const worth = (term: number) => (frequencies[term] as number) * (idfs[term] as number)
  let best = 0
  for (let term = 1; term < idfs.length; term++) {
    if (groupOf[term] !== groupOf[best]) best = term
    else if (worth(term) > worth(best)) {
      frequencies[best] = 0
      best = term
    } else frequencies[term] = 0
  }
}

/** Messages are short, so length and repetition matter less than in documents. */
const k1 = 0.9
const b = 0.4

/** The maximum of the saturated term frequency. */
export const maxTermFactor = k1 + 1

/** The length normalization of the BM25 denominator. */
export function createLengthNorm(averageLength: number): {
  readonly base: number
  readonly step: number
} {
  return { base: k1 * (1 - b), step: (k1 * b) / averageLength }
}

/** BM25 of one text, from the frequencies of terms with these IDFs. */
export function createBm25(idfs: readonly number[], averageLength: number) {
  const lengthNorm = createLengthNorm(averageLength)
  return (counts: ArrayLike<number>, length: number): number => {
    const norm = lengthNorm.base + lengthNorm.step * length
    let sum = 0
    for (let index = 0; index < idfs.length; index++) {
      const termFrequency = counts[index] as number
      if (termFrequency > 0)
        sum += ((idfs[index] as number) * maxTermFactor * termFrequency) / (termFrequency + norm)
    }
    return sum
  }
}

/** Inverse document frequency. */
export function idf({
  documentFrequency,
  documentCount,
}: {
  readonly documentFrequency: number
  readonly documentCount: number
}): number {
  return Math.log(1 + (documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5))
}
