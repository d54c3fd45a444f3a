import type { Evidence } from './evidence.ts'
import type { SearchIndex } from './index/search-index.ts'
import { bestSlots } from './ranking/best-slots.ts'

const bestOfEach = 80

/** The best of each kind of evidence, and what was said beside them: these are ranked. */
export function choosePool(index: SearchIndex, evidence: Evidence, limit: number): number[] {
  const { lexical, hint, near, mask } = evidence
  const count = Math.max(bestOfEach, limit)
  const best = [lexical, near?.whole, near?.passage, hint].flatMap((scores) =>
    scores ? bestSlots(scores, count) : [],
  )
  return withNeighbours(index, mask, best)
}

/** Each once, and what may be read of what was said just before and after them. */
export function withNeighbours(
  { sessions }: SearchIndex,
  mask: Uint8Array,
  slots: readonly number[],
): number[] {
  const all = new Set(slots)
  for (const slot of slots) {
    const { before, after } = sessions.beside(slot)
    if (before !== undefined && mask[before] === 1) all.add(before)
    if (after !== undefined && mask[after] === 1) all.add(after)
  }
  return [...all]
}
