import type { Db } from '../../../kernel/db/database.ts'
import { type ChunkLink, tables } from './documents.ts'

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
