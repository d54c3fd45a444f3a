import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { memoryChanged } from './events.ts'
import { newHistoryEvent } from './history-event.ts'
import type { Memory } from './memory.ts'
import type { MemoryContext } from './needs.ts'
import { insertHistory } from './store/history.ts'
import { findMemory, updateMemory } from './store/memories.ts'

/** Why one memory cannot supersede another. */
export type SupersedeConflict =
  | 'not_found'
  | 'deleted'
  | 'self_supersede'
  | 'scope_mismatch'
  | 'already_superseded'
  | 'supersede_cycle'

/** Longer chains count as cycles. */
const maxChainLength = 1_000

/** Returns the first conflict, in this order. */
export function findConflict(
  target: Memory | undefined,
  successor: Memory,
): SupersedeConflict | undefined {
  if (target?.id === successor.id) return 'self_supersede'
  if (!target) return 'not_found'
  if (target.deletedAt !== null) return 'deleted'
  const keys = [target, successor].map(({ agentId, project, scope, visibility }) =>
    JSON.stringify([agentId, project, scope, visibility]),
  )
  if (keys[0] !== keys[1]) return 'scope_mismatch'
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
  const { id, agentId } = target
  afterCommit(db, () => needs.events.emit(memoryChanged, { id, agentId, version }))
  return true
}
