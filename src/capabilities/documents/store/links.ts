import { sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { type ChunkLink, tables } from './documents.ts'

/** Unique among the advisory locks of the database. */
export const linksLock = 7_306_021

/**
 * Lets one transaction at a time link or forget chunks, so that no other document links a chunk that
 * is being forgotten. SQLite has one writer anyway. Take it before any row.
 */
export async function lockLinks(db: Db): Promise<void> {
  if (engineOf(db) === 'postgres') await sql`select pg_advisory_xact_lock(${linksLock})`.execute(db)
}

/** The chunks of a document in their order. */
export function listLinks(db: Db, documentId: string): Promise<ChunkLink[]> {
  return tables(db)
    .selectFrom('documentMemories')
    .selectAll()
    .where('documentId', '=', documentId)
    .orderBy('chunkIndex')
    .execute()
}

export async function saveLinks(db: Db, links: readonly ChunkLink[]): Promise<void> {
  if (links.length === 0) return
  await tables(db)
    .insertInto('documentMemories')
    .values([...links])
    .onConflict((conflict) =>
      conflict
        .columns(['documentId', 'chunkIndex'])
        .doUpdateSet(({ ref }) => ({ memoryId: ref('excluded.memoryId') })),
    )
    .execute()
}

/** Deletes the links from this index on. */
export async function deleteLinks(db: Db, documentId: string, from: number): Promise<void> {
  await tables(db)
    .deleteFrom('documentMemories')
    .where('documentId', '=', documentId)
    .where('chunkIndex', '>=', from)
    .execute()
}

/** Filters ids to those that no document links any more. */
export async function listUnlinked(db: Db, memoryIds: readonly string[]): Promise<string[]> {
  const linked = new Set<string>()
  const batchSize = 400
  for (let at = 0; at < memoryIds.length; at += batchSize) {
    const rows = await tables(db)
      .selectFrom('documentMemories')
      .select('memoryId')
      .distinct()
      .where('memoryId', 'in', memoryIds.slice(at, at + batchSize))
      .execute()
    for (const { memoryId } of rows) linked.add(memoryId)
  }
  return memoryIds.filter((id) => !linked.has(id))
}
