import type { Column, RankingInput, Stage } from './ranking-input.ts'
import { weights } from './weights.ts'

/** A note with more distinct terms covers too many topics. */
export const maxNoteTerms = 512

/**
 * Some questions need two notes: one that matches, and one about the same subject. Notes have no
 * session, so that shared terms (Dice coefficient) relate them.
 */
export function termOverlapStage(input: RankingInput, scores: Column): Stage {
  const best = findBest(input, scores)
  const termsOf = (slot: number) => {
    const terms = input.session[slot] === 0 ? input.terms(slot) : []
    return terms.length > maxNoteTerms ? [] : terms
  }
  const overlapWith = createDice(best === undefined ? [] : termsOf(best))
  return {
    name: 'kinship',
    reason: 'shares terms with the best note',
    score: (slot) => weights.termOverlap * overlapWith(termsOf(slot)),
  }
}

function findBest({ rankedCount, byRecency }: RankingInput, scores: Column): number | undefined {
  let best = 0
  for (let slot = 1; slot < rankedCount; slot++) {
    const more = (scores[slot] as number) - (scores[best] as number)
    if ((more || byRecency(best, slot)) > 0) best = slot
  }
  return rankedCount === 0 ? undefined : best
}

function createDice(terms: ArrayLike<string | number>) {
  const bestTerms = new Set(Array.from(terms))
  return (others: ArrayLike<string | number>): number => {
    let shared = 0
    for (let at = 0; at < others.length; at++)
      if (bestTerms.has(others[at] as string | number)) shared++
    return shared === 0 ? 0 : (2 * shared) / (bestTerms.size + others.length)
  }
}
