import type { Db } from '../../kernel/db/database.ts'
import type { SessionsNeeds } from './needs.ts'
import type { SessionId } from './session.ts'
import { findStart, upsertStart } from './store/starts.ts'
import { insertWindow } from './store/windows.ts'
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
  const after = new Date(host.now().getTime() - startDays * dayMs).toISOString()
  return findStart(db, { ...start, project: project ?? '' }, { daemonId, after })
}

/** Its window begins here as well, unless it is open already. */
export async function noteStart(
  { host, daemonId, config }: SessionsNeeds,
  db: Db,
  { agentId, sessionKey, harness, project }: Start,
): Promise<void> {
  const startedAt = host.now().toISOString()
  const id = { agentId, sessionKey }
  await upsertStart(db, { ...id, harness, project: project ?? '', daemonId, startedAt })
  if (config().continuity.enabled)
    await insertWindow(db, id, openWindow({ harness, project }, startedAt))
}
