import type { Column, Scene, Stage } from './ranking-input.ts'
import { weights } from './weights.ts'

/** A note that holds more distinct terms is about too much to be akin to another. */
export const mostTerms = 512

/**
 * A question may need two notes: one that it describes, and one that says more of what that one is
 * about. Notes have no session that holds them together, so that the words they share do it: by
 * Dice's coefficient, 0 to 1.
 */
export function kinshipStage(scene: Scene, alone: Column): Stage {
  const best = bestOf(scene, alone)
  const termsOf = (slot: number) => {
    const terms = scene.session[slot] === 0 ? scene.terms(slot) : []
    return terms.length > mostTerms ? [] : terms
  }
  const share = createDice(best === undefined ? [] : termsOf(best))
  return {
    name: 'kinship',
    reason: 'shares words with the best note',
    score: (slot) => weights.kinship * share(termsOf(slot)),
  }
}

function bestOf({ ranked, newestFirst }: Scene, scores: Column): number | undefined {
  let best = 0
  for (let slot = 1; slot < ranked; slot++) {
    const more = (scores[slot] as number) - (scores[best] as number)
    if ((more || newestFirst(best, slot)) > 0) best = slot
  }
  return ranked === 0 ? undefined : best
}

function createDice(terms: ArrayLike<string | number>) {
  const held = new Set(Array.from(terms))
  return (others: ArrayLike<string | number>): number => {
    let shared = 0
    for (let at = 0; at < others.length; at++) if (held.has(others[at] as string | number)) shared++
    return shared === 0 ? 0 : (2 * shared) / (held.size + others.length)
  }
}
