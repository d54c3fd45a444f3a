import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { executeBatch } from '../../../kernel/db/execute-batch.ts'
import { insertRows } from '../../../kernel/db/insert-rows.ts'
import type { ArtifactKeys, SourceRows } from './artifacts.ts'
import { type ChunkRow, maxValues, tables } from './rows.ts'

export type StoredChunk = Pick<ChunkRow, 'id' | 'contentHash' | 'lineFrom' | 'lineTo'>

export async function listStoredChunks(
  db: Db,
  { agentId, sourceId, paths }: ArtifactKeys,
): Promise<StoredChunk[]> {
  return tables(db)
    .selectFrom('sourceChunks')
    .select(['id', 'contentHash', 'lineFrom', 'lineTo'])
    .where('sourceId', '=', sourceId)
    .where('sourcePath', 'in', paths)
    .where('agentId', '=', agentId)
    .execute()
}

/** Reserves revisions and returns the last one. The row stays locked until the commit, so commits are in order. */
async function reserveRevisions(
  db: Db,
  column: 'chunks' | 'vectors',
  count: number,
): Promise<number> {
  const { value } = await tables(db)
    .updateTable('sourceRevision')
    .set({ [column]: sql<number>`${sql.ref(column)} + ${count}` })
    .returning(column === 'chunks' ? 'chunks as value' : 'vectors as value')
    .executeTakeFirstOrThrow()
  return Number(value)
}

export async function upsertChunks(
  db: Db,
  chunks: readonly Omit<ChunkRow, 'revision'>[],
): Promise<void> {
  if (chunks.length === 0) return
  const last = await reserveRevisions(db, 'chunks', chunks.length)
  const first = last - chunks.length + 1
  const rows = chunks.map((chunk, index) => ({ ...chunk, revision: first + index }))
  await insertRows(db, 'sourceChunks', rows, (conflict) =>
    conflict.column('id').doUpdateSet(({ ref }) => ({
      chunkId: ref('excluded.chunkId'),
      generation: ref('excluded.generation'),
      sourcePath: ref('excluded.sourcePath'),
      heading: ref('excluded.heading'),
      lineFrom: ref('excluded.lineFrom'),
      lineTo: ref('excluded.lineTo'),
      text: ref('excluded.text'),
      contentHash: ref('excluded.contentHash'),
      wordsHash: ref('excluded.wordsHash'),
      revision: ref('excluded.revision'),
    })),
  )
}

/** Text and revision stay: the search index does not depend on lines. */
export async function updateLines(
  db: Db,
  chunks: readonly Pick<ChunkRow, 'id' | 'lineFrom' | 'lineTo'>[],
): Promise<void> {
  await executeBatch(
    db,
    chunks.map(({ id, lineFrom, lineTo }) =>
      tables(db).updateTable('sourceChunks').set({ lineFrom, lineTo }).where('id', '=', id),
    ),
  )
}

/** Deletes chunks with their vectors, and records the ids for readers that follow revisions. */
export async function purgeChunks(db: Db, ids: readonly string[], purgedAt: string): Promise<void> {
  for (let start = 0; start < ids.length; start += maxValues) {
    const batch = ids.slice(start, start + maxValues)
    await tables(db).deleteFrom('sourceChunkVectors').where('chunkId', 'in', batch).execute()
    await tables(db).deleteFrom('sourceChunks').where('id', 'in', batch).execute()
    const last = await reserveRevisions(db, 'chunks', batch.length)
    const first = last - batch.length + 1
    const purged = batch.map((id, index) => ({ revision: first + index, id, purgedAt }))
    await tables(db).insertInto('sourceChunksPurged').values(purged).execute()
  }
}

/** Ids of chunks of a source, at most one batch. */
export async function listChunkIds(
  db: Db,
  { sourceId, generation }: SourceRows,
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('sourceChunks')
    .select('id')
    .where('sourceId', '=', sourceId)
    .$if(generation !== undefined, (query) => query.where('generation', '=', generation ?? ''))
    .limit(maxValues)
    .execute()
  return rows.map(({ id }) => id)
}

export async function listChunksById(db: Db, ids: readonly string[]): Promise<ChunkRow[]> {
  if (ids.length === 0) return []
  return tables(db).selectFrom('sourceChunks').selectAll().where('id', 'in', ids).execute()
}

export async function countChunks(db: Db, sourceId?: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('sourceChunks')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .$if(sourceId !== undefined, (query) => query.where('sourceId', '=', sourceId ?? ''))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Chunks whose path has no live artifact. */
export async function countOrphans(db: Db, sourceId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('sourceChunks')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('sourceId', '=', sourceId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sourceArtifacts')
            .select('sourceArtifacts.position')
            .whereRef('sourceArtifacts.sourceId', '=', 'sourceChunks.sourceId')
            .whereRef('sourceArtifacts.agentId', '=', 'sourceChunks.agentId')
            .whereRef('sourceArtifacts.sourcePath', '=', 'sourceChunks.sourcePath')
            .where('sourceArtifacts.isDeleted', '=', 0),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether the database never stored a chunk. */
export async function isUntouched(db: Db): Promise<boolean> {
  const { chunks } = await tables(db)
    .selectFrom('sourceRevision')
    .select('chunks')
    .executeTakeFirstOrThrow()
  return Number(chunks) === 0
}

/** Deletes old records of purges. Readers behind them start from an empty index. */
export async function sweepPurged(db: Db, before: string): Promise<void> {
  const { last } = await tables(db)
    .selectFrom('sourceChunksPurged')
    .select(({ fn }) => fn.max('revision').as('last'))
    .where('purgedAt', '<', before)
    .executeTakeFirstOrThrow()
  if (last === null) return
  await tables(db)
    .updateTable('sourceRevision')
    .set({ sweptTo: sql<number>`case when swept_to < ${last} then ${last} else swept_to end` })
    .execute()
  await tables(db).deleteFrom('sourceChunksPurged').where('revision', '<=', last).execute()
}

export async function reserveVectorRevisions(db: Db, count: number): Promise<number> {
  return reserveRevisions(db, 'vectors', count)
}
