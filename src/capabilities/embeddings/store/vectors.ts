import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Write } from '../../../kernel/db/execute-batch.ts'
import type { Embedded } from '../embedder.ts'
import { toBytes, toVector } from '../vector.ts'
import { tables, type VectorRow } from './rows.ts'

/** One memory with what was made of its words. */
export interface NewVectors extends Embedded {
  readonly memoryId: string
  readonly agentId: string
  readonly contentHash: string
}

type NewRow = Omit<VectorRow, 'revision'>

interface Written {
  readonly identity: string
  readonly createdAt: string
}

/** A statement of more takes the event loop too long to write. */
const rowsAtOnce = 100

/** Where some of this identity are there already they stay. */
export async function insertVectors(
  db: Db,
  written: Written,
  made: readonly NewVectors[],
): Promise<void> {
  const rows = made.flatMap((one) => toRows(written, one))
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await tables(db)
      .insertInto('memoryVectors')
      .values(rows.slice(start, start + rowsAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** The same as writes that are still to be done, each for a memory that is kept by then. */
export function createInserting(isKept: IsKept) {
  const insertingRow = compileOnce((db, row: NewRow) => {
    const cells = Object.entries(row)
    return tables(db)
      .insertInto('memoryVectors')
      .columns(cells.map(([column]) => column as keyof NewRow))
      .expression(
        tables(db)
          .selectNoFrom((eb) => cells.map(([column, value]) => eb.val(value).as(column)))
          .where(isKept(row.memoryId)),
      )
  })
  return (db: Db, written: Written, made: NewVectors): readonly Write[] =>
    toRows(written, made).map((row) => insertingRow(db, row))
}

function toRows(
  { identity, createdAt }: Written,
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

/** Of one identity, or of all that there are. */
export async function deleteVectors(
  db: Db,
  memoryIds: readonly string[],
  identity?: string,
): Promise<void> {
  if (memoryIds.length === 0) return
  for (const table of ['memoryVectors', 'embeddingFailures'] as const)
    await tables(db)
      .deleteFrom(table)
      .where('memoryId', 'in', memoryIds)
      .where((eb) =>
        identity === undefined
          ? eb('identity', 'in', eb.selectFrom('embeddingModels').select('identity'))
          : eb('identity', '=', identity),
      )
      .execute()
}

export async function deleteVectorsOfAgent(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('memoryVectors').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('embeddingFailures').where('agentId', '=', agentId).execute()
}

/** Up to so many of an identity; gives how many went. */
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

/** The hash of the words that each vector was made of, by memory. */
export async function readVectorHashes(
  db: Db,
  identity: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await ofWholes(db, identity)
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
  const rows = await ofWholes(db, identity)
    .select(['memoryId', 'vector'])
    .where('memoryId', 'in', memoryIds)
    .execute()
  return new Map(rows.map(({ memoryId, vector }) => [memoryId, toVector(vector)]))
}

/** How many vectors there are of what is gone, by whichever model. */
export async function countOrphans(db: Db, isKept: IsKept): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('memoryVectors')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('passage', '=', 0)
    .where(({ not }) => not(isKept(sql.ref('memoryVectors.memoryId'))))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteOrphans(db: Db, isKept: IsKept): Promise<void> {
  await tables(db)
    .deleteFrom('memoryVectors')
    .where(({ not }) => not(isKept(sql.ref('memoryVectors.memoryId'))))
    .execute()
}

/** Whether there is such a memory by now, given its id or where that stands. */
export type IsKept = (id: string | Expression<string>) => Expression<SqlBool>

/** Whether the memory in a column has a vector: for the queries of those who keep them. */
export type HasVector = (column: string) => Expression<SqlBool>

export function hasVectorOf(identity: string): HasVector {
  return (column) => sql<SqlBool>`exists (select 1 from memory_vectors
    where memory_vectors.identity = ${identity}
      and memory_vectors.memory_id = ${sql.ref(column)} and memory_vectors.passage = 0)`
}

/** Whether it has a vector of the one identity and none of the other. */
export function isPendingFrom(identity: string, next: string): HasVector {
  return (column) =>
    sql<SqlBool>`(${hasVectorOf(identity)(column)} and not ${hasVectorOf(next)(column)})`
}

/** Whether it has a vector, or is set aside for its words. */
export function isSettledBy(identity: string): HasVector {
  return (column) => sql<SqlBool>`(${hasVectorOf(identity)(column)}
    or exists (select 1 from embedding_failures where embedding_failures.identity = ${identity}
      and embedding_failures.memory_id = ${sql.ref(column)}))`
}

/** The name of the model by which the memory in a column is found, or else is about to be. */
export function modelOf(column: string): AliasableExpression<string | null> {
  const inState = (state: 'active' | 'building') =>
    sql`(select embedding_models.model from embedding_models
      where embedding_models.state = ${sql.lit(state)} and exists (select 1 from memory_vectors
        where memory_vectors.identity = embedding_models.identity
          and memory_vectors.memory_id = ${sql.ref(column)} and memory_vectors.passage = 0) limit 1)`
  return sql<string | null>`coalesce(${inState('active')}, ${inState('building')})`
}

function ofWholes(db: Db, identity: string) {
  return tables(db)
    .selectFrom('memoryVectors')
    .where('identity', '=', identity)
    .where('passage', '=', 0)
}
