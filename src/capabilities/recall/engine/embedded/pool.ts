import type { Evidence } from './evidence.ts'
import type { SearchIndex } from './index/search-index.ts'
import { bestSlots } from './ranking/best-slots.ts'

const bestOfEach = 80

/** The best of each kind of evidence, and what was said beside them: these are ranked. */
export function choosePool(
  { sessions }: SearchIndex,
  { lexical, hint, near, mask }: Evidence,
  limit: number,
): number[] {
  const count = Math.max(bestOfEach, limit)
  const best = [lexical, near?.whole, near?.passage, hint].flatMap((scores) =>
    scores ? bestSlots(scores, count) : [],
  )
  const beside = best.flatMap((slot) => {
    const { before, after } = sessions.beside(slot)
    return [before, after].filter((one) => one !== undefined && mask[one] === 1) as number[]
  })
  return [...new Set([...best, ...beside])]
}
