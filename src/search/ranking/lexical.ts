import { fill, nobody, type Scene } from './ranking-input.ts'
import { weigh, weights } from './weights.ts'

export type Surroundings = Pick<Scene, 'counted' | 'words' | 'before' | 'after'>

/** What is asked of an index of words about those that may answer. */
export interface WordCounts {
  /** From nearly 0 on; a term that nothing holds is as rare as can be. */
  rarityOf(term: string): number
  /** How often each slot holds each of these terms, slot by slot, in their order. */
  countTerms(terms: readonly string[]): ArrayLike<number>
  /** BM25 of one text, given how often it holds each of these terms. */
  createScore(terms: readonly string[]): (counts: ArrayLike<number>, length: number) => number
  /** How many terms a slot has, repetitions among them. */
  lengthOf(slot: number): number
}

/** Words by themselves, where what was said beside a short text lends it some of its own. */
export function readWords(
  words: WordCounts,
  asked: readonly string[],
  { counted, words: wordsOf, before, after }: Surroundings,
): Pick<Scene, 'lexical' | 'coverage'> {
  const { score, coverage } = countWords(words, [...new Set(asked)])
  const lexical = fill(counted, (slot) => {
    const share = weigh(weights.lent, wordsOf[slot] as number)
    return score(slot, { before: before[slot] as number, after: after[slot] as number, share })
  })
  return { lexical, coverage }
}

/** Who lends some of its words; the share is the same for both. */
interface Lent {
  readonly before: number
  readonly after: number
  readonly share: number
}

const nothing: Lent = { before: nobody, after: nobody, share: 0 }

/** Of each slot BM25 for these terms, and the share of them that it holds, each as much as it is rare. */
export function countWords(words: WordCounts, terms: readonly string[]) {
  const counts = words.countTerms(terms)
  const scoreOf = words.createScore(terms)
  const rarities = terms.map(words.rarityOf)
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0)
  const held = new Float64Array(terms.length)
  const add = (slot: number, share: number) => {
    if (slot === nobody) return
    const from = slot * held.length
    for (let at = 0; at < held.length; at++)
      held[at] = (held[at] as number) + share * (counts[from + at] as number)
  }
  return {
    score: (slot: number, { before, after, share } = nothing): number => {
      held.fill(0)
      add(slot, 1)
      add(before, share)
      add(after, share)
      return scoreOf(held, words.lengthOf(slot))
    },
    coverage: (slot: number): number => {
      const from = slot * rarities.length
      let sum = 0
      for (let at = 0; at < rarities.length; at++)
        if ((counts[from + at] as number) > 0) sum += rarities[at] as number
      return all > 0 ? sum / all : 0
    },
  }
}
