import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

interface ByContent {
  readonly agentId: string
  readonly project: string | null
  readonly hashes: readonly string[]
}

/** The ids of live memories of the agent outside namespaces, by their content hashes. */
export async function listByContent(
  db: Db,
  { agentId, project, hashes }: ByContent,
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await tables(db)
    .selectFrom('memories')
    .select(['id', 'contentHash'])
    .where('contentHash', 'in', hashes)
    .where('agentId', '=', agentId)
    .where(sql<SqlBool>`coalesce(project, '') = ${project ?? ''}`)
    .where(sql<SqlBool>`coalesce(scope, '') = ''`)
    .where('deletedAt', 'is', null)
    .where('visibility', '<>', 'archived')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map(({ id, contentHash }) => [contentHash, id]))
}

/** The content hashes of live memories of the agent. */
export async function listHashes(
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await liveRows(db, agentId).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, contentHash }) => [id, contentHash]))
}

/** The newest live memory of the agent for each content hash. */
export async function listIdsByHash(
  db: Db,
  agentId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await liveRows(db, agentId)
    .where('contentHash', 'in', hashes)
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, contentHash }) => [contentHash, id]))
}

const liveRows = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('memories')
    .select(['id', 'contentHash'])
    .where('agentId', '=', agentId)
    .where('memoryKind', '=', 'episodic')
    .where('scope', 'is', null)
    .where('deletedAt', 'is', null)
    .where('visibility', '!=', 'archived')
