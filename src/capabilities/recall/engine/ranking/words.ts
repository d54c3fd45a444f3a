import { remember, type Scene } from './scene.ts'
import { weigh, weights } from './weights.ts'

export type Surroundings = Pick<Scene, 'words' | 'before' | 'after'>

/** What is asked of an index of words about those that may answer. */
export interface WordCounts {
  /** From nearly 0 on; a term that nothing holds is as rare as can be. */
  rarityOf(term: string): number
  /** Tells of a slot how often it holds each of these terms, in their order. */
  createCounter(terms: readonly string[]): (slot: number) => ArrayLike<number>
  /** BM25 of one text, given how often it holds each of these terms. */
  createScore(terms: readonly string[]): (counts: ArrayLike<number>, length: number) => number
  /** How many terms a slot has, repetitions among them. */
  lengthOf(slot: number): number
}

/** Words by themselves, where what was said beside a short text lends it some of its own. */
export function readWords(
  words: WordCounts,
  asked: readonly string[],
  { words: wordsOf, before, after }: Surroundings,
): Pick<Scene, 'lexical' | 'coverage'> {
  const terms = [...new Set(asked)]
  const countsOf = remember(words.createCounter(terms))
  const score = words.createScore(terms)
  const counts = new Float64Array(terms.length)
  const lexical = remember((slot) => {
    const lent = weigh(weights.lent, wordsOf(slot))
    counts.fill(0)
    lend(counts, countsOf(slot), 1)
    const [earlier, later] = [before(slot), after(slot)]
    if (earlier !== undefined) lend(counts, countsOf(earlier), lent)
    if (later !== undefined) lend(counts, countsOf(later), lent)
    return score(counts, words.lengthOf(slot))
  })
  return { lexical, coverage: createCoverage(words, terms, countsOf) }
}

function lend(counts: Float64Array, others: ArrayLike<number>, share: number): void {
  for (let place = 0; place < counts.length; place++)
    counts[place] = (counts[place] as number) + share * (others[place] as number)
}

/** The share of the question's terms that a slot holds, each as much as it is rare. */
export function createCoverage(
  { rarityOf }: Pick<WordCounts, 'rarityOf'>,
  terms: readonly string[],
  countsOf: (slot: number) => ArrayLike<number>,
) {
  const rarities = terms.map(rarityOf)
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0)
  return (slot: number): number => {
    const counts = countsOf(slot)
    const held = rarities.reduce((sum, rarity, at) => sum + (counts[at] ? rarity : 0), 0)
    return all > 0 ? held / all : 0
  }
}
