import type { Caller } from '../../kernel/auth/caller.ts'
import type { Memory } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import type { Namespace } from './store/filter.ts'
import { listDisputed, listDue, listLowConfidence } from './store/review.ts'

/** Why a memory needs review. */
type ReviewReason = 'review_due' | 'disputed' | 'low_confidence'

export interface ReviewItem {
  readonly memory: Memory
  readonly reasons: readonly ReviewReason[]
}

/** Memories below this confidence need review. */
const minConfidence = 0.5

const maxItems = 200

/** Lists memories that are due, disputed or of low confidence, each once. */
export async function readReviewQueue(
  { db, agents, host }: MemoryNeeds,
  caller: Caller,
  namespace: Namespace,
): Promise<ReviewItem[]> {
  const readScope = await agents.readScopeOf(db, caller)
  const of = { ...namespace, limit: maxItems }
  const [due, disputed, lowConfidence] = await Promise.all([
    listDue(db, readScope, { ...of, now: host.now().toISOString() }),
    listDisputed(db, readScope, of),
    listLowConfidence(db, readScope, { ...of, below: minConfidence }),
  ])
  const entries = [
    ...due.map((memory) => ({ memory, reason: 'review_due' as const })),
    ...disputed.map((memory) => ({ memory, reason: 'disputed' as const })),
    ...lowConfidence.map((memory) => ({ memory, reason: 'low_confidence' as const })),
  ]
  const byId = Map.groupBy(entries, ({ memory }) => memory.id)
  return [...byId.values()].slice(0, maxItems).flatMap((reasons) => {
    const [first] = reasons
    return first ? [{ memory: first.memory, reasons: reasons.map(({ reason }) => reason) }] : []
  })
}
