import type { Db } from '../../../kernel/db/database.ts'
import type { SessionRef } from '../transcript.ts'
import { tables } from './rows.ts'

/** The projects under which a session is stored, by its key or its id; null for none. */
export async function listProjects(
  db: Db,
  { agentId, sessionKey }: SessionRef,
): Promise<readonly (string | null)[]> {
  const transcripts = tables(db)
    .selectFrom('sessionTranscripts')
    .select('project')
    .where('agentId', '=', agentId)
    .where(({ eb, or }) =>
      or([eb('sessionKey', '=', sessionKey), eb('sessionId', '=', sessionKey)]),
    )
  const checkpoints = tables(db)
    .selectFrom('sessionCheckpoints')
    .select('project')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
  const artifacts = tables(db)
    .selectFrom('memoryArtifacts')
    .select('project')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
  const rows = await transcripts.union(checkpoints).union(artifacts).execute()
  return rows.map(({ project }) => project)
}
