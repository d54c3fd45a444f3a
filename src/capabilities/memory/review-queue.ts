import type { Caller } from '../../kernel/auth/caller.ts'
import type { Memory } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import type { Namespace } from './store/filter.ts'
import { listDisputed, listDoubtful, listDue } from './store/review.ts'

/** Why somebody should look at a memory again. */
type ReviewReason = 'review_due' | 'disputed' | 'low_confidence'

export interface ReviewItem {
  readonly memory: Memory
  readonly reasons: readonly ReviewReason[]
}

/** What is less sure than this wants a second look. */
const doubtful = 0.5

const most = 200

/** What is due, what is said to be wrong or outdated, and what was never sure; each memory once. */
export async function readReviewQueue(
  { db, agents, host }: MemoryNeeds,
  caller: Caller,
  namespace: Namespace,
): Promise<ReviewItem[]> {
  const readScope = await agents.readScopeOf(db, caller)
  const of = { ...namespace, limit: most }
  const [due, disputed, unsure] = await Promise.all([
    listDue(db, readScope, { ...of, now: host.now().toISOString() }),
    listDisputed(db, readScope, of),
    listDoubtful(db, readScope, { ...of, below: doubtful }),
  ])
  const found = [
    ...due.map((memory) => ({ memory, reason: 'review_due' as const })),
    ...disputed.map((memory) => ({ memory, reason: 'disputed' as const })),
    ...unsure.map((memory) => ({ memory, reason: 'low_confidence' as const })),
  ]
  const byId = Map.groupBy(found, ({ memory }) => memory.id)
  return [...byId.values()].slice(0, most).flatMap((reasons) => {
    const [first] = reasons
    return first ? [{ memory: first.memory, reasons: reasons.map(({ reason }) => reason) }] : []
  })
}
