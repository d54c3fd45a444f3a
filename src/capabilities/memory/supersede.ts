import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { mayRead } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { readForChange } from './change.ts'
import { memoryChanged, toEventFields } from './events.ts'
import { type Memory, newHistoryEvent } from './memory.ts'
import type { MemoryContext, MemoryNeeds } from './needs.ts'
import { assertWritable, refusalOf } from './refusals.ts'
import type { supersededReply } from './schemas.ts'
import { insertHistory } from './store/history.ts'
import { findMemory, lockRevisions, updateMemory } from './store/memories.ts'

interface SupersedeRequest {
  readonly id: string
  readonly supersededBy: string
  readonly reason: string | null
}

/** Marks a memory as superseded by an existing one. */
export function supersede(
  needs: MemoryNeeds,
  caller: Caller,
  { id, supersededBy, reason }: SupersedeRequest,
): Promise<z.output<typeof supersededReply>> {
  assertWritable(needs.config())
  return transaction(needs.db, async (db) => {
    // Two daemons that supersede at once would each miss the cycle that both make.
    await lockRevisions(db)
    const target = await readForChange({ ...needs, caller }, db, id)
    const successor = await readSuccessor(needs, db, { caller, id: supersededBy })
    const conflict = findConflict(target, successor)
    if (conflict) throw refusalOf(target, conflict)
    const { version: currentVersion } = target
    const outcome = {
      id,
      status: 'superseded',
      superseded_by: supersededBy,
      currentVersion,
    } as const
    // Already superseded by it: nothing is written.
    if (target.supersededBy === supersededBy)
      return { ...outcome, newVersion: currentVersion, idempotent: true }
    if (await isCycle(db, target, successor)) throw refusalOf(target, 'supersede_cycle')
    if (!(await markSuperseded({ ...needs, caller }, db, { target, successor, reason })))
      throw refusalOf(target, 'version_conflict')
    return { ...outcome, newVersion: currentVersion + 1, idempotent: false }
  })
}

async function readSuccessor(
  { agents }: MemoryNeeds,
  db: Db,
  { caller, id }: { readonly caller: Caller; readonly id: string },
): Promise<Memory> {
  const successor = await findMemory(db, id)
  if (
    successor &&
    successor.deletedAt === null &&
    mayRead(await agents.readScopeOf(db, caller), successor)
  )
    return successor
  const details = { id, status: 'target_not_found' }
  throw new Refusal('not_found', 'target_not_found', 'target not found', details)
}

/** Longer chains count as cycles. */
const maxChainLength = 1_000

/** Returns the first conflict, in this order. */
export function findConflict(target: Memory, successor: Memory) {
  if (target.id === successor.id) return 'self_supersede'
  if (target.deletedAt !== null) return 'deleted'
  const owners = ['agentId', 'project', 'scope', 'visibility'] as const
  if (owners.some((field) => target[field] !== successor[field])) return 'scope_mismatch'
  const { supersededBy } = target
  return supersededBy === null || supersededBy === successor.id ? undefined : 'already_superseded'
}

/** Whether the successor's chain contains the target. */
export async function isCycle(db: Db, target: Memory, successor: Memory): Promise<boolean> {
  let next = successor.supersededBy
  for (let steps = 0; next !== null && steps < maxChainLength; steps += 1) {
    if (next === target.id) return true
    next = (await findMemory(db, next))?.supersededBy ?? null
  }
  return next !== null
}

interface Supersession {
  readonly target: Memory
  readonly successor: Memory
  readonly reason: string | null
}

/** Runs in the caller's transaction. Returns false when the target changed since it was read. */
export async function markSuperseded(
  needs: MemoryContext,
  db: Db,
  { target, successor, reason }: Supersession,
): Promise<boolean> {
  const now = needs.host.now().toISOString()
  const version = target.version + 1
  const changed = {
    supersededBy: successor.id,
    supersededAt: now,
    supersededReason: reason === null ? null : toCleanText(reason),
    version,
    updatedAt: now,
    updatedBy: needs.caller.name,
  }
  if (!(await updateMemory(db, target, changed))) return false
  const historyEvent = newHistoryEvent(needs, {
    memoryId: target.id,
    event: 'superseded',
    reason,
    createdAt: now,
    metadata: { supersededBy: successor.id, previousSupersededBy: target.supersededBy },
  })
  await insertHistory(db, historyEvent)
  afterCommit(db, () => needs.events.emit(memoryChanged, { ...toEventFields(target), version }))
  return true
}
