import { deleteAgentRows, renameAgentRows } from '../../../kernel/db/agent-rows.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type Tables, tables } from './rows.ts'

const ownedTables = [
  'sessionTranscripts',
  'sessionTranscriptFiles',
  'transcriptCaptures',
  'memoryArtifacts',
  'sessionManifests',
  'sessionSummaries',
  'sessionSummaryChildren',
  'sessionSummaryMemories',
  'memoryThreadHeads',
  'sessionCheckpoints',
] as const satisfies readonly (keyof Tables)[]

/** Moves all rows of an agent to an inaccessible name. */
export async function renameAgent(db: Db, agentId: string, name: string): Promise<void> {
  await renameAgentRows(db, ownedTables, { agentId, name })
}

export function deleteAgent(db: Db, agentId: string): Promise<void> {
  return deleteAgentRows(db, ownedTables, agentId)
}

/** Moves the file list of an agent to an inaccessible name, without content. */
export async function detachFiles(db: Db, agentId: string, name: string): Promise<void> {
  await tables(db)
    .updateTable('memoryArtifacts')
    .set({ agentId: name, content: '', memorySentence: null })
    .where('agentId', '=', agentId)
    .where('sourceKind', '!=', 'transcript')
    .execute()
}

export async function listFiles(db: Db, agentId: string, limit: number): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('memoryArtifacts')
    .select('sourcePath')
    .where('agentId', '=', agentId)
    .orderBy('sourcePath')
    .limit(limit)
    .execute()
  return rows.map(({ sourcePath }) => sourcePath)
}

export async function deleteFiles(
  db: Db,
  agentId: string,
  paths: readonly string[],
): Promise<void> {
  await tables(db)
    .deleteFrom('memoryArtifacts')
    .where('agentId', '=', agentId)
    .where('sourcePath', 'in', paths)
    .execute()
}

/** The listed sessions that the agent owns. */
export async function findSessionKeys(
  db: Db,
  agentId: string,
  among: readonly string[],
): Promise<ReadonlySet<string>> {
  if (among.length === 0) return new Set()
  const rows = await tables(db)
    .selectFrom('sessionTranscripts')
    .select('sessionKey')
    .where('agentId', '=', agentId)
    .where('sessionKey', 'in', among)
    .execute()
  return new Set(rows.map(({ sessionKey }) => sessionKey))
}
