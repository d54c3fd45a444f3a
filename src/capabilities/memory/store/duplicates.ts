import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Memories that all have the same readers, or of which the global ones have more. */
export interface ClusterKey {
  readonly contentHash: string
  readonly agentId: string
  readonly project: string | null
  readonly scope: string | null
}

export interface DuplicateFilter {
  readonly agentId?: string | undefined
  readonly project?: string | undefined
  readonly scope?: string | undefined
  readonly visibility?: string | undefined
}

/** Current memories that a repair may merge: pinned and derived ones are left alone. */
const isMergeable = sql<SqlBool>`deleted_at is null and visibility <> 'archived'
  and superseded_by is null and pinned = 0 and memory_kind = 'episodic'`

/** Contents that several memories of one agent, project and namespace have. */
export async function listClusters(
  db: Db,
  filter: DuplicateFilter,
  limit: number,
): Promise<ClusterKey[]> {
  return clusters(db, filter)
    .select(['contentHash', 'agentId', 'project', 'scope'])
    .limit(limit)
    .execute()
}

function clusters(db: Db, filter: DuplicateFilter) {
  return mergeable(db, filter)
    .groupBy(['contentHash', 'agentId', 'project', 'scope'])
    .having(sql<number>`count(*)`, '>', 1)
}

function mergeable(db: Db, { agentId, project, scope, visibility }: DuplicateFilter) {
  return tables(db)
    .selectFrom('memories')
    .where(isMergeable)
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .$if(scope !== undefined, (query) => query.where('scope', '=', scope ?? ''))
    .$if(visibility !== undefined, (query) => query.where(sql<SqlBool>`visibility = ${visibility}`))
}

export interface DuplicateFigures {
  readonly exactClusters: number
  /** Memories above one in each cluster. */
  readonly exactDuplicates: number
  readonly totalActive: number
}

/** Reads the index of contents and the rows of the clusters. */
export async function countDuplicates(
  db: Db,
  filter: DuplicateFilter = {},
): Promise<DuplicateFigures> {
  const sizes = clusters(db, filter).select(sql<number>`count(*)`.as('size'))
  const found = await tables(db)
    .selectFrom(sizes.as('clusters'))
    .select([
      sql<number | string>`count(*)`.as('clusters'),
      sql<number | string | null>`sum(size - 1)`.as('surplus'),
    ])
    .executeTakeFirstOrThrow()
  const { total } = await tables(db)
    .selectFrom('memories')
    .select(sql<number | string>`count(*)`.as('total'))
    .where(sql<SqlBool>`deleted_at is null and visibility <> 'archived' and superseded_by is null`)
    .executeTakeFirstOrThrow()
  return {
    exactClusters: Number(found.clusters),
    exactDuplicates: Number(found.surplus ?? 0),
    totalActive: Number(total),
  }
}

/** The members of a cluster, the one to keep first: global, important, often read, new. */
export async function listMembers(db: Db, { contentHash, agentId, project, scope }: ClusterKey) {
  const rows = await mergeable(db, { agentId })
    .leftJoin('memoryAccess', 'memoryAccess.memoryId', 'memories.id')
    .select(['memories.id', 'memories.importance', 'memories.tags', 'memories.visibility'])
    .where('memories.contentHash', '=', contentHash)
    .where(sql<SqlBool>`coalesce(memories.project, '') = ${project ?? ''}`)
    .where(sql<SqlBool>`coalesce(memories.scope, '') = ${scope ?? ''}`)
    .orderBy(sql`case when memories.visibility = 'global' then 0 else 1 end`)
    .orderBy('memories.importance', 'desc')
    .orderBy(sql`coalesce(memory_access.access_count, 0)`, 'desc')
    .orderBy('memories.createdAt', 'desc')
    .orderBy('memories.id', 'desc')
    .execute()
  return rows.map(({ tags, ...row }) => ({ ...row, tags: tags === null ? [] : tags.split(',') }))
}

export type Member = Awaited<ReturnType<typeof listMembers>>[number]

/** Candidates of a search for similar texts, in the order of their ids. */
export async function listCandidates(
  db: Db,
  filter: DuplicateFilter,
  { after, limit }: { readonly after: string; readonly limit: number },
) {
  const rows = await mergeable(db, filter)
    .select([
      'id',
      'agentId',
      'project',
      'scope',
      'importance',
      'tags',
      'visibility',
      'createdAt',
      'contentHash',
    ])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ tags, ...row }) => ({ ...row, tags: tags === null ? [] : tags.split(',') }))
}
