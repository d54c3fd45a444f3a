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
