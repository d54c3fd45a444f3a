import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import { startDays } from './end.ts'
import type { SessionsNeeds } from './needs.ts'
import type { OfferedMemory } from './score.ts'
import type { SessionId } from './session.ts'
import { insertOfferedQuery } from './store/scores.ts'
import { findStart, insertWindowQuery, upsertStartQuery } from './store/windows.ts'
import { openWindow } from './window.ts'

export interface Start extends SessionId {
  readonly harness: string
  readonly project: string | null
}

const dayMs = 86_400_000

/** Whether this run of the daemon sent this session its start context. */
export function hasStarted(
  { db, host, daemonId }: SessionsNeeds,
  { project, ...start }: Start,
): Promise<boolean> {
  const after = expiryOf(host)
  return findStart(db, { ...start, project: project ?? '' }, { daemonId, after })
}

/** Also records the offered memories and opens the window. False if a concurrent call recorded the start. */
export async function recordStart(
  { host, daemonId, config }: SessionsNeeds,
  db: Db,
  {
    start: { agentId, sessionKey, harness, project },
    offeredMemories: offered,
  }: { readonly start: Start; readonly offeredMemories: readonly OfferedMemory[] },
): Promise<boolean> {
  const startedAt = host.now().toISOString()
  const id = { agentId, sessionKey }
  const started = { ...id, harness, project: project ?? '', daemonId, startedAt }
  const window = openWindow({ harness, project }, startedAt)
  // The same order as in the reset of a cleared session, which avoids deadlocks.
  const windowQueries = config().continuity.enabled ? [insertWindowQuery(db, id, window)] : []
  const counts = await executeBatch(db, [
    ...windowQueries,
    upsertStartQuery(db, started, expiryOf(host)),
    ...(offered.length > 0 ? [insertOfferedQuery(db, offered)] : []),
  ])
  return counts[windowQueries.length] !== 0
}

/** A start at or before this time has expired. */
function expiryOf(host: SessionsNeeds['host']): string {
  return new Date(host.now().getTime() - startDays * dayMs).toISOString()
}
