import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import type { Namespace } from './filter.ts'
import { type HasVector, listable } from './lists.ts'
import { memoryColumns, type Tables, tables, toMemory } from './rows.ts'

export interface EmbeddedPage extends Namespace {
  readonly limit: number
  readonly offset: number
  readonly hasVector: HasVector
}

export interface Coverage {
  readonly total: number
  readonly embedded: number
}

/** Of every agent, ordered by revision. */
export async function listChanged(
  db: Db,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(['id', 'contentHash', 'revision', 'deletedAt', 'visibility'])
    .where('revision', '>', after)
    .orderBy('revision')
    .limit(limit)
    .execute()
  return rows.map(({ deletedAt, visibility, ...row }) => ({
    ...row,
    live: deletedAt === null && visibility !== 'archived',
  }))
}

/** Live memories only, without a read check. */
export async function listTexts(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await tables(db)
    .selectFrom('memories')
    .select(['id', 'agentId', 'content', 'contentHash', 'deletedAt', 'visibility'])
    .where('id', 'in', ids)
    .execute()
  return rows
    .filter(({ deletedAt, visibility }) => deletedAt === null && visibility !== 'archived')
    .map(({ deletedAt, visibility, ...words }) => words)
}

interface WithoutVector {
  readonly agentId?: string | undefined
  readonly hasVector: HasVector
}

/** Live memories without such a vector, in the order of their revisions. No read check. */
export async function listWithout(
  db: Db,
  { limit, ...filter }: WithoutVector & { readonly limit: number },
) {
  return selectWithout(db, filter)
    .select(['id', 'agentId', 'content', 'contentHash'])
    .orderBy('revision')
    .limit(limit)
    .execute()
}

export async function countWithout(db: Db, filter: WithoutVector): Promise<number> {
  const { count } = await selectWithout(db, filter)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function selectWithout(db: Db, { agentId, hasVector }: WithoutVector) {
  return tables(db)
    .selectFrom('memories')
    .where(areLive)
    .where(({ not }) => not(hasVector('memories.id')))
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
}

/** Whether a memory with this id exists. Takes a value or a column. */
export function isStored(id: string | Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from memories where memories.id = ${id})`
}

/** The same for memories that are neither deleted nor archived. */
export function isLive(id: string | Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from memories where memories.id = ${id}
    and memories.deleted_at is null and memories.visibility <> 'archived')`
}

/** The same for memories that are not deleted. */
export function isPresent(id: string | Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from memories where memories.id = ${id}
    and memories.deleted_at is null)`
}

/** Locks the rows until the end of the transaction. SQLite has one writer anyway. */
export async function lockHashes(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(['id', 'contentHash'])
    .where('id', 'in', ids)
    .$if(engineOf(db) === 'postgres', (query) => query.orderBy('id').forShare())
    .execute()
  return new Map(rows.map(({ id, contentHash }) => [id, contentHash]))
}

/** Counts live, not archived memories, without a read check. */
export async function countLive(db: Db, hasVector: HasVector): Promise<Coverage> {
  const counts = await tables(db)
    .selectFrom('memories')
    .select(({ fn }) => [
      fn.countAll<number | string>().filterWhere(areLive).as('total'),
      fn
        .countAll<number | string>()
        .filterWhere(areLive)
        .filterWhere(hasVector('memories.id'))
        .as('embedded'),
    ])
    .executeTakeFirstOrThrow()
  return { total: Number(counts.total), embedded: Number(counts.embedded) }
}

/** Counts those of them that another memory has replaced, through their index. */
export async function countSuperseded(db: Db, hasVector: HasVector): Promise<Coverage> {
  const superseded = tables(db)
    .selectFrom('memories')
    .where('deletedAt', 'is', null)
    .where('supersededBy', 'is not', null)
    .where('visibility', '!=', 'archived')
  const counts = await superseded
    .select(({ fn }) => [
      fn.countAll<number | string>().as('total'),
      fn.countAll<number | string>().filterWhere(hasVector('memories.id')).as('embedded'),
    ])
    .executeTakeFirstOrThrow()
  return { total: Number(counts.total), embedded: Number(counts.embedded) }
}

/** Counts live memories up to a revision that are not processed. */
export async function countUnprocessed(
  db: Db,
  { upTo, isProcessed }: { readonly upTo: number; readonly isProcessed: HasVector },
): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('memories')
    .select(({ fn, not }) =>
      fn
        .countAll<number | string>()
        .filterWhere(areLive)
        .filterWhere('revision', '<=', upTo)
        .filterWhere(not(isProcessed('memories.id')))
        .as('count'),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Current memories with a vector, newest first. */
export async function listEmbedded(
  db: Db,
  readScope: ReadScope,
  { limit, offset, hasVector, ...namespace }: EmbeddedPage,
): Promise<Memory[]> {
  const rows = await listable(db, readScope, namespace)
    .select(memoryColumns)
    .where(hasVector('memories.id'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toMemory)
}

/**
 * Filters the count instead of a `where`. The index of live rows has another order: rows and vectors
 * would be read at random, which takes eight times as long.
 */
function areLive({ eb, and }: ExpressionBuilder<Tables, 'memories'>) {
  return and([eb('deletedAt', 'is', null), eb('visibility', '!=', 'archived')])
}
