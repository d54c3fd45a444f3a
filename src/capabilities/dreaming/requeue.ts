import type { Caller } from '../../kernel/auth/caller.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { enqueueAttention } from './enqueue-attention.ts'
import type { SourceKind } from './evidence/evidence.ts'
import type { DreamingNeeds } from './needs.ts'
import { exclusionNotFound } from './refusals.ts'
import { findExclusion, updateExclusion } from './store/attention.ts'
import { requeueEntry } from './store/evidence.ts'

const priority = 80

/** Lets passes read a source again that they leave out. */
export function requeueSource(
  { db, host }: DreamingNeeds,
  { agentId }: Pick<Caller, 'agentId'>,
  { sourceKind, sourceId }: { readonly sourceKind: SourceKind; readonly sourceId: string },
) {
  const key = { agentId, sourceKind, sourceId }
  return transaction(db, async (db) => {
    const exclusion = await findExclusion(db, key)
    if (!exclusion) throw exclusionNotFound()
    await updateExclusion(db, key, { requeueRequestedAt: host.now().toISOString() })
    await requeueEntry(db, key)
    const subjectRef = `${sourceKind}:${sourceId}`
    const details = { reason: exclusion.reason }
    await enqueueAttention(
      { db, host },
      { agentId, kind: 'evidence_requeue', subjectRef, details, priority },
    )
    return { requeued: true as const, ...key }
  })
}
