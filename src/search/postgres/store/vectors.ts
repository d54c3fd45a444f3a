import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { tables } from './rows.ts'
import { lockIndex, updateState } from './state.ts'
import { openExtension } from './vector-index.ts'

/**
 * Creates the vector table if pgvector is available: returns undefined, or the problem with its
 * remedy. Not a migration, because the extension may be added or removed at any time.
 */
export async function openVectors(db: Db): Promise<string | undefined> {
  const problem = await openExtension(db)
  if (problem !== undefined) return problem
  await transaction(db, async (db) => {
    await lockIndex(db)
    if (await hasTable(db)) return
    // After the extension was dropped, the table lacks its vector column.
    await sql`drop table if exists memory_search_vectors`.execute(db)
    await createTable(db)
    await tables(db).updateTable('memorySearchState').set({ seenVector: 0, held: 0 }).execute()
  })
  return undefined
}

export interface NewVector {
  readonly identity: string
  readonly memoryId: string
  readonly passage: number
  readonly contentHash: string
  readonly vector: Float32Array
}

/** Passage 0 precedes the other passages and replaces all earlier ones. */
export async function replaceVectors(db: Db, vectors: readonly NewVector[]): Promise<void> {
  const textVectors = vectors.filter(({ passage }) => passage === 0)
  const deletedCount = await deleteTextVectors(db, textVectors)
  const rows = vectors.map(({ vector, ...row }) => ({
    ...row,
    dims: vector.length,
    vector: sql<string>`${toText(vector)}::halfvec`,
  }))
  if (rows.length > 0) await tables(db).insertInto('memorySearchVectors').values(rows).execute()
  await updateState(db, { held: rows.length - deletedCount })
}

export async function deleteVectorsOf(db: Db, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length === 0) return
  const { numDeletedRows } = await tables(db)
    .deleteFrom('memorySearchVectors')
    .where('memoryId', 'in', memoryIds)
    .executeTakeFirst()
  await updateState(db, { held: -Number(numDeletedRows) })
}

/** Vectors will be read again. */
export async function deleteAllVectors(db: Db): Promise<void> {
  await deleteOtherVectors(db, [])
  await updateState(db, { seenVector: 0 })
}

/** Deletes vectors of models that are no longer used. */
export async function deleteOtherVectors(db: Db, identities: readonly string[]): Promise<void> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('memorySearchVectors')
    .$if(identities.length > 0, (query) => query.where('identity', 'not in', identities))
    .executeTakeFirst()
  await updateState(db, { held: -Number(numDeletedRows) })
}

export function toText(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}

async function deleteTextVectors(
  db: Db,
  textVectors: readonly Pick<NewVector, 'identity' | 'memoryId'>[],
): Promise<number> {
  if (textVectors.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`delete from memory_search_vectors
    where (identity, memory_id) in (select * from unnest(
      ${textVectors.map(({ identity }) => identity)}::text[],
      ${textVectors.map(({ memoryId }) => memoryId)}::text[]))`.execute(db)
  return Number(numAffectedRows)
}

async function hasTable(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_attribute
    where attrelid = to_regclass('memory_search_vectors') and attname = 'vector'
      and not attisdropped`.execute(db)
  return rows.length > 0
}

async function createTable(db: Db): Promise<void> {
  await sql`create table memory_search_vectors (
    identity text not null,
    memory_id text collate "C" not null,
    passage integer not null,
    dims integer not null,
    content_hash text not null,
    vector halfvec not null,
    primary key (identity, memory_id, passage)
  )`.execute(db)
  await sql`create index memory_search_vectors_of on memory_search_vectors (memory_id)`.execute(db)
}
