import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Write } from '../../../kernel/db/execute-batch.ts'
import type { Embedded } from '../embedder.ts'
import { toBytes, toVector } from '../vector.ts'
import { tables, type VectorRow } from './rows.ts'

/** The vectors of one memory. */
export interface NewVectors extends Embedded {
  readonly memoryId: string
  readonly agentId: string
  readonly contentHash: string
}

type NewRow = Omit<VectorRow, 'revision'>

interface VectorMeta {
  readonly identity: string
  readonly createdAt: string
}

/** Bounded, because compiling a larger statement blocks the event loop. */
const insertBatchSize = 100

/** Existing vectors of the same identity are not replaced. */
export async function insertVectors(
  db: Db,
  meta: VectorMeta,
  vectorSets: readonly NewVectors[],
): Promise<void> {
  const rows = vectorSets.flatMap((vectorSet) => toRows(meta, vectorSet))
  for (let start = 0; start < rows.length; start += insertBatchSize)
    await tables(db)
      .insertInto('memoryVectors')
      .values(rows.slice(start, start + insertBatchSize))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** The same as deferred writes, each conditional on the memory row. */
export function createVectorInserts(isStored: MemoryPredicate) {
  const insertRow = compileOnce((db, row: NewRow) => {
    const cells = Object.entries(row)
    return tables(db)
      .insertInto('memoryVectors')
      .columns(cells.map(([column]) => column as keyof NewRow))
      .expression(
        tables(db)
          .selectNoFrom((eb) => cells.map(([column, value]) => eb.val(value).as(column)))
          .where(isStored(row.memoryId)),
      )
  })
  return (db: Db, meta: VectorMeta, vectorSet: NewVectors): readonly Write[] =>
    toRows(meta, vectorSet).map((row) => insertRow(db, row))
}

function toRows(
  { identity, createdAt }: VectorMeta,
  { whole, passages, ...of }: NewVectors,
): NewRow[] {
  const { memoryId, agentId, contentHash } = of
  return [whole, ...passages].flatMap((vector, passage) => {
    if (!vector) return []
    const { length: dims } = vector
    const row = { memoryId, agentId, identity, passage, dims, contentHash, createdAt }
    return [{ ...row, vector: toBytes(vector) }]
  })
}

/** Deletes vectors and failures of one identity, or of all. Returns the number of vectors. */
export async function deleteVectors(
  db: Db,
  memoryIds: readonly string[],
  identity?: string,
): Promise<number> {
  if (memoryIds.length === 0) return 0
  let deleted = 0
  for (const table of ['embeddingFailures', 'memoryVectors'] as const) {
    const { numDeletedRows } = await tables(db)
      .deleteFrom(table)
      .where('memoryId', 'in', memoryIds)
      .where((eb) =>
        identity === undefined
          ? eb('identity', 'in', eb.selectFrom('embeddingModels').select('identity'))
          : eb('identity', '=', identity),
      )
      .executeTakeFirst()
    deleted = Number(numDeletedRows)
  }
  return deleted
}

export async function deleteVectorsOfAgent(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('memoryVectors').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('embeddingFailures').where('agentId', '=', agentId).execute()
}

/** Deletes up to `limit` vectors of an identity; returns the number of deleted rows. */
export async function deleteSomeVectors(db: Db, identity: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('memoryVectors')
    .where('revision', 'in', (eb) =>
      eb
        .selectFrom('memoryVectors')
        .select('revision')
        .where('identity', '=', identity)
        .orderBy('memoryId')
        .orderBy('passage')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The hash of the embedded text, by memory. */
export async function readVectorHashes(
  db: Db,
  identity: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await wholeTextVectors(db, identity)
    .select(['memoryId', 'contentHash'])
    .where('memoryId', 'in', memoryIds)
    .execute()
  return new Map(rows.map(({ memoryId, contentHash }) => [memoryId, contentHash]))
}

export async function readVectors(
  db: Db,
  identity: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, Float32Array>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await wholeTextVectors(db, identity)
    .select(['memoryId', 'vector'])
    .where('memoryId', 'in', memoryIds)
    .execute()
  return new Map(rows.map(({ memoryId, vector }) => [memoryId, toVector(vector)]))
}

/** Counts vectors without a memory, of all models. */
export async function countOrphans(db: Db, isStored: MemoryPredicate): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('memoryVectors')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('passage', '=', 0)
    .where(({ not }) => not(isStored(sql.ref('memoryVectors.memoryId'))))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteOrphans(db: Db, isStored: MemoryPredicate): Promise<void> {
  await tables(db)
    .deleteFrom('memoryVectors')
    .where(({ not }) => not(isStored(sql.ref('memoryVectors.memoryId'))))
    .execute()
}

interface OrphanPage {
  readonly after: number
  readonly limit: number
  /** Whether the memory still has its vectors. */
  readonly isOwned: MemoryPredicate
}

/** The next vectors in the order of their revisions; `orphans` belong to no owned memory. */
export async function listOrphans(db: Db, { after, limit, isOwned }: OrphanPage) {
  const rows = await tables(db)
    .selectFrom('memoryVectors')
    .select(['revision', 'memoryId'])
    .select(sql<SqlBool>`${isOwned(sql.ref('memoryVectors.memoryId'))}`.as('isOwned'))
    .where('revision', '>', after)
    .orderBy('revision')
    .limit(limit)
    .execute()
  const orphans = rows.filter(({ isOwned }) => !isOwned)
  return {
    orphans: orphans.map(({ revision }) => revision),
    last: rows.length === limit ? (rows.at(-1)?.revision ?? null) : null,
  }
}

/** Deletes those of these vectors that are still orphans. Returns their number. */
export async function deleteOrphansAmong(
  db: Db,
  revisions: readonly number[],
  isOwned: MemoryPredicate,
): Promise<number> {
  if (revisions.length === 0) return 0
  const { numDeletedRows } = await tables(db)
    .deleteFrom('memoryVectors')
    .where('revision', 'in', revisions)
    .where(({ not }) => not(isOwned(sql.ref('memoryVectors.memoryId'))))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** A condition on a memory, given its id or the column with the id. */
export type MemoryPredicate = (id: string | Expression<string>) => Expression<SqlBool>

/** A condition: the memory in this column has a vector. */
export type HasVector = (column: string) => Expression<SqlBool>

export function hasVectorOf(identity: string): HasVector {
  return (column) => sql<SqlBool>`exists (select 1 from memory_vectors
    where memory_vectors.identity = ${identity}
      and memory_vectors.memory_id = ${sql.ref(column)} and memory_vectors.passage = 0)`
}

/** Has a vector of `identity` and none of `next`. */
export function isPendingFrom(identity: string, next: string): HasVector {
  return (column) =>
    sql<SqlBool>`(${hasVectorOf(identity)(column)} and not ${hasVectorOf(next)(column)})`
}

/** Has a vector or a recorded failure. */
export function isProcessedBy(identity: string): HasVector {
  return (column) => sql<SqlBool>`(${hasVectorOf(identity)(column)}
    or exists (select 1 from embedding_failures where embedding_failures.identity = ${identity}
      and embedding_failures.memory_id = ${sql.ref(column)}))`
}

/** Has a vector, or a failure that is not retried at this time. */
export function isSettledBy(identity: string, now: string): HasVector {
  return (column) => sql<SqlBool>`(${hasVectorOf(identity)(column)}
    or exists (select 1 from embedding_failures where embedding_failures.identity = ${identity}
      and embedding_failures.memory_id = ${sql.ref(column)}
      and (embedding_failures.retry_at is null or embedding_failures.retry_at > ${now})))`
}

/** The memories whose vectors of a model are the oldest. */
export async function listOldest(
  db: Db,
  identity: string,
  { agentId, limit }: { readonly agentId?: string | undefined; readonly limit: number },
): Promise<string[]> {
  const rows = await wholeTextVectors(db, identity)
    .select('memoryId')
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
    .orderBy('revision')
    .limit(limit)
    .execute()
  return rows.map(({ memoryId }) => memoryId)
}

interface SourceFilter {
  readonly agentId?: string | undefined
  readonly isLive: MemoryPredicate
}

/** Counts live memories without a vector of this model, by the model that they have one of. */
export async function countSources(db: Db, identity: string, { agentId, isLive }: SourceFilter) {
  const rows = await tables(db)
    .selectFrom('memoryVectors as stored')
    .innerJoin('embeddingModels as model', 'model.identity', 'stored.identity')
    .select(({ fn }) => [
      'model.model',
      'model.dims as dimensions',
      fn.countAll<number | string>().as('count'),
    ])
    .where('stored.passage', '=', 0)
    .where('stored.identity', '!=', identity)
    .where(isLive(sql.ref('stored.memoryId')))
    .where(({ not }) => not(hasVectorOf(identity)('stored.memoryId')))
    .$if(agentId !== undefined, (query) => query.where('stored.agentId', '=', agentId ?? ''))
    .groupBy(['model.model', 'model.dims'])
    .orderBy('model.model')
    .execute()
  return rows.map(({ count, ...model }) => ({ ...model, count: Number(count) }))
}

/** Name of the active or building model that has a vector of the memory. */
export function modelOf(column: string): AliasableExpression<string | null> {
  const inState = (state: 'active' | 'building') =>
    sql`(select embedding_models.model from embedding_models
      where embedding_models.state = ${sql.lit(state)} and exists (select 1 from memory_vectors
        where memory_vectors.identity = embedding_models.identity
          and memory_vectors.memory_id = ${sql.ref(column)} and memory_vectors.passage = 0) limit 1)`
  return sql<string | null>`coalesce(${inState('active')}, ${inState('building')})`
}

function wholeTextVectors(db: Db, identity: string) {
  return tables(db)
    .selectFrom('memoryVectors')
    .where('identity', '=', identity)
    .where('passage', '=', 0)
}
