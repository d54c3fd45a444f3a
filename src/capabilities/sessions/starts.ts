import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import type { SessionsNeeds } from './needs.ts'
import type { OfferedMemory } from './score.ts'
import type { SessionId } from './session.ts'
import { insertingOffered } from './store/scores.ts'
import { findStart, upsertingStart } from './store/starts.ts'
import { insertingWindow } from './store/windows.ts'
import { startDays } from './sweep.ts'
import { openWindow } from './window.ts'

export interface Start extends SessionId {
  readonly harness: string
  readonly project: string | null
}

const dayMs = 86_400_000

/** Whether this session was told its beginning before, by this run of the daemon. */
export function wasStarted(
  { db, host, daemonId }: SessionsNeeds,
  { project, ...start }: Start,
): Promise<boolean> {
  const after = longAgo(host)
  return findStart(db, { ...start, project: project ?? '' }, { daemonId, after })
}

/**
 * With what was weighed for it; its window begins here as well, unless it is open already. False where
 * it was told meanwhile.
 */
export async function noteStart(
  { host, daemonId, config }: SessionsNeeds,
  db: Db,
  {
    start: { agentId, sessionKey, harness, project },
    offered,
  }: { readonly start: Start; readonly offered: readonly OfferedMemory[] },
): Promise<boolean> {
  const startedAt = host.now().toISOString()
  const id = { agentId, sessionKey }
  const started = { ...id, harness, project: project ?? '', daemonId, startedAt }
  const window = openWindow({ harness, project }, startedAt)
  // In the order in which a cleared session loses them: who writes both waits for nobody twice.
  const opening = config().continuity.enabled ? [insertingWindow(db, id, window)] : []
  const counts = await executeBatch(db, [
    ...opening,
    upsertingStart(db, started, longAgo(host)),
    ...(offered.length > 0 ? [insertingOffered(db, offered)] : []),
  ])
  return counts[opening.length] !== 0
}

/** What was told then or before is told anew. */
function longAgo(host: SessionsNeeds['host']): string {
  return new Date(host.now().getTime() - startDays * dayMs).toISOString()
}
