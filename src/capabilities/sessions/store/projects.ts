import type { Db } from '../../../kernel/db/database.ts'
import type { SessionId } from '../session.ts'
import { tables } from './rows.ts'
import { findWindow } from './windows.ts'

/** The projects under which a session is stored, null for none, each of its rows counted. */
export async function listProjects(
  db: Db,
  { agentId, sessionKey }: SessionId,
): Promise<readonly (string | null)[]> {
  const claims = tables(db)
    .selectFrom('sessionClaims')
    .select('project')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
  const presence = tables(db)
    .selectFrom('sessionPresence')
    .select('project')
    .where('agentId', '=', agentId)
    .where('key', '=', `session:${sessionKey}`)
  const [rows, window] = await Promise.all([
    claims.unionAll(presence).execute(),
    findWindow(db, { agentId, sessionKey }),
  ])
  return [...rows, ...(window ? [window] : [])].map(({ project }) => project)
}
