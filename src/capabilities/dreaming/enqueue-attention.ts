import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'
import {
  countPendingAttention,
  findAttentionOf,
  findLeastUrgent,
  insertAttention,
  updateAttention,
} from './store/attention.ts'

export interface NewAttention {
  readonly agentId: string
  readonly kind: 'review_due' | 'hygiene' | 'contested_claim' | 'evidence_requeue'
  readonly subjectRef: string
  readonly details: Readonly<Record<string, string>>
  /** From 0 to 100. */
  readonly priority: number
}

/** Reviews are listed this long before they are due. */
export const reviewNoticeMs = 7 * 86_400_000
const maxPending = 1_000
const maxKeyLength = 64
const maxValueLength = 1_000

/**
 * Adds an item to the queue, or raises the one of the same kind and subject. A resolved item opens
 * again only when its details change. Returns undefined where the queue is full of more urgent items.
 */
export async function enqueueAttention(
  { db, host }: { readonly db: Db; readonly host: Pick<Host, 'newId' | 'now'> },
  item: NewAttention,
): Promise<string | undefined> {
  const details = JSON.stringify(cutDetails(item.details))
  const known = await findAttentionOf(db, item)
  if (known) {
    const isChanged = known.details !== details
    if (known.state === 'resolved' && !isChanged && item.kind === 'hygiene') return known.id
    await updateAttention(db, known.id, {
      details,
      priority: known.state === 'pending' ? Math.max(known.priority, item.priority) : item.priority,
      generation: isChanged || known.state === 'resolved' ? known.generation + 1 : known.generation,
      state: 'pending',
      resolvedBy: null,
      resolvedAt: null,
    })
    return known.id
  }
  if (!(await makeRoom({ db, host }, item))) return undefined
  const id = host.newId()
  const { agentId, kind, subjectRef, priority } = item
  await insertAttention(db, {
    id,
    agentId,
    kind,
    subjectRef,
    details,
    priority,
    generation: 1,
    state: 'pending',
    resolvedBy: null,
    resolvedAt: null,
    createdAt: host.now().toISOString(),
  })
  return id
}

/** The least urgent item leaves a full queue, if the new one is more urgent. */
async function makeRoom(
  { db, host }: { readonly db: Db; readonly host: Pick<Host, 'now'> },
  { agentId, priority }: NewAttention,
): Promise<boolean> {
  if ((await countPendingAttention(db, agentId)) < maxPending) return true
  const last = await findLeastUrgent(db, agentId)
  if (!last || last.priority >= priority) return false
  const resolvedAt = host.now().toISOString()
  await updateAttention(db, last.id, { state: 'resolved', resolvedBy: 'queue_full', resolvedAt })
  return true
}

function cutDetails(details: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key.slice(0, maxKeyLength),
      value.slice(0, maxValueLength),
    ]),
  )
}
