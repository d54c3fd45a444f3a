import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { countCurrent, sliceRows } from './figures.ts'
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

/** Reads the index of contents in slices, so that other queries go between. */
export async function countDuplicates(db: Db): Promise<DuplicateFigures> {
  let [exactClusters, exactDuplicates] = [0, 0]
  for (let after: string | undefined = ''; after !== undefined; ) {
    const upTo = await findSliceEnd(db, after)
    const sizes = clusters(db, {})
      .select(sql<number>`count(*)`.as('size'))
      .where('contentHash', '>', after)
      .$if(upTo !== undefined, (query) => query.where('contentHash', '<=', upTo ?? ''))
    const counts = await tables(db)
      .selectFrom(sizes.as('clusters'))
      .select([
        sql<number | string>`count(*)`.as('clusters'),
        sql<number | string | null>`sum(size - 1)`.as('excess'),
      ])
      .executeTakeFirstOrThrow()
    exactClusters += Number(counts.clusters)
    exactDuplicates += Number(counts.excess ?? 0)
    after = upTo
  }
  const { total: totalActive } = await countCurrent(db, '')
  return { exactClusters, exactDuplicates, totalActive }
}

/** The last hash of a slice; undefined for the last one. */
async function findSliceEnd(db: Db, after: string): Promise<string | undefined> {
  const row = await mergeable(db, {})
    .select('contentHash')
    .where('contentHash', '>', after)
    .orderBy('contentHash')
    .offset(sliceRows - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.contentHash
}

/** The members of a cluster, the retained one first: global, important, often read, new. */
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
