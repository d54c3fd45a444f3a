import type { Db } from '../../../kernel/db/database.ts'
import type { SessionRef } from '../transcript.ts'
import { type Checkpoint, tables } from './rows.ts'

export async function insertCheckpoint(db: Db, checkpoint: Checkpoint): Promise<void> {
  await tables(db).insertInto('sessionCheckpoints').values(checkpoint).execute()
}

interface CheckpointFilter {
  readonly agentId: string
  readonly sessionKey?: string | undefined
  /** The given name of the project and its real path. */
  readonly paths?: readonly string[] | undefined
  /** Only checkpoints that are stored under this name. */
  readonly project?: string | undefined
  readonly limit: number
}

/** The latest first. */
export function listCheckpoints(db: Db, filter: CheckpointFilter): Promise<Checkpoint[]> {
  const { agentId, sessionKey, paths, project, limit } = filter
  let query = tables(db).selectFrom('sessionCheckpoints').selectAll().where('agentId', '=', agentId)
  if (sessionKey !== undefined) query = query.where('sessionKey', '=', sessionKey)
  if (paths !== undefined) query = query.where('projectNormalized', 'in', paths)
  if (project !== undefined) query = query.where('project', '=', project)
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** All except the latest of a session. */
export async function deleteOldCheckpoints(
  db: Db,
  { agentId, sessionKey }: SessionRef,
  max: number,
): Promise<void> {
  const retainedIds = tables(db)
    .selectFrom('sessionCheckpoints')
    .select('id')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(max)
  await tables(db)
    .deleteFrom('sessionCheckpoints')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('id', 'not in', retainedIds)
    .execute()
}

export async function deleteCheckpointsBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('sessionCheckpoints').where('createdAt', '<', before).execute()
}
