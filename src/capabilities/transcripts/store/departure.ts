import type { Db } from '../../../kernel/db/database.ts'
import { type Tables, tables } from './rows.ts'

const owned = [
  'sessionTranscripts',
  'transcriptCaptures',
  'memoryArtifacts',
  'sessionManifests',
  'sessionSummaries',
  'sessionSummaryChildren',
  'sessionSummaryMemories',
  'memoryThreadHeads',
  'sessionCheckpoints',
] as const satisfies readonly (keyof Tables)[]

/** Puts all rows of an agent under a name that nobody can ask for. */
export async function renameAgent(db: Db, agentId: string, name: string): Promise<void> {
  for (const table of owned)
    await tables(db)
      .updateTable(table)
      .set({ agentId: name })
      .where('agentId', '=', agentId)
      .execute()
}

export async function deleteAgentRows(db: Db, agentId: string): Promise<void> {
  for (const table of owned)
    await tables(db).deleteFrom(table).where('agentId', '=', agentId).execute()
}

/** The harnesses it has spoken through, and the files that are its own. */
export async function listAgentFiles(
  db: Db,
  agentId: string,
): Promise<{ readonly harnesses: readonly string[]; readonly paths: readonly string[] }> {
  const harnesses = await tables(db)
    .selectFrom('sessionTranscripts')
    .select('harness')
    .distinct()
    .where('agentId', '=', agentId)
    .execute()
  const artifacts = await tables(db)
    .selectFrom('memoryArtifacts')
    .select('sourcePath')
    .where('agentId', '=', agentId)
    .where('sourceKind', '!=', 'transcript')
    .execute()
  return {
    harnesses: harnesses.map(({ harness }) => harness),
    paths: artifacts.map(({ sourcePath }) => sourcePath),
  }
}

export async function listSessionKeys(db: Db, agentId: string): Promise<ReadonlySet<string>> {
  const rows = await tables(db)
    .selectFrom('sessionTranscripts')
    .select('sessionKey')
    .where('agentId', '=', agentId)
    .execute()
  return new Set(rows.map(({ sessionKey }) => sessionKey))
}
