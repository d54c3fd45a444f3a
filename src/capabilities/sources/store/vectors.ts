import type { Db } from '../../../kernel/db/database.ts'
import { insertRows } from '../../../kernel/db/insert-rows.ts'
import { reserveVectorRevisions } from './chunks.ts'
import { type ChunkRow, type ChunkVectorRow, tables } from './rows.ts'

export type PendingChunk = Pick<
  ChunkRow,
  'id' | 'sourceId' | 'heading' | 'text' | 'wordsHash' | 'revision'
>

/** Chunks after a revision without a vector of the model, in order of revision. */
export async function listPending(
  db: Db,
  { identity, after, limit }: { identity: string; after: number; limit: number },
): Promise<PendingChunk[]> {
  return tables(db)
    .selectFrom('sourceChunks')
    .select(['id', 'sourceId', 'heading', 'text', 'wordsHash', 'revision'])
    .where('revision', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sourceChunkVectors as stored')
            .select('stored.revision')
            .whereRef('stored.chunkId', '=', 'sourceChunks.id')
            .whereRef('stored.wordsHash', '=', 'sourceChunks.wordsHash')
            .where('stored.identity', '=', identity),
        ),
      ),
    )
    .orderBy('revision')
    .limit(limit)
    .execute()
}

/** Stored vectors of equal words, such as those of a renamed file. */
export async function findVectorsByWords(
  db: Db,
  identity: string,
  wordsHashes: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (wordsHashes.length === 0) return new Map()
  const rows = await tables(db)
    .selectFrom('sourceChunkVectors')
    .select(['wordsHash', 'vector'])
    .where('wordsHash', 'in', wordsHashes)
    .where('identity', '=', identity)
    .execute()
  return new Map(rows.map(({ wordsHash, vector }) => [wordsHash, vector]))
}

export type NewVector = Pick<ChunkVectorRow, 'chunkId' | 'wordsHash' | 'vector' | 'dims'>

/** Replaces the vectors of chunks whose words are unchanged. */
export async function saveVectors(
  db: Db,
  identity: string,
  vectors: readonly NewVector[],
): Promise<void> {
  if (vectors.length === 0) return
  const ids = vectors.map(({ chunkId }) => chunkId)
  const last = await reserveVectorRevisions(db, vectors.length)
  const live = await tables(db)
    .selectFrom('sourceChunks')
    .select(['id', 'sourceId', 'wordsHash'])
    .where('id', 'in', ids)
    .execute()
  const chunks = new Map(live.map((chunk) => [chunk.id, chunk]))
  const first = last - vectors.length + 1
  const rows = vectors.flatMap((vector, index) => {
    const chunk = chunks.get(vector.chunkId)
    if (chunk?.wordsHash !== vector.wordsHash) return []
    return [{ ...vector, identity, revision: first + index, sourceId: chunk.sourceId }]
  })
  if (rows.length === 0) return
  await tables(db)
    .deleteFrom('sourceChunkVectors')
    .where('chunkId', 'in', ids)
    .where('identity', '=', identity)
    .execute()
  await insertRows(db, 'sourceChunkVectors', rows)
  await tables(db)
    .insertInto('sourceVectorModels')
    .values({ identity })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function countVectors(db: Db, identity: string, sourceId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('sourceChunkVectors')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('sourceId', '=', sourceId)
    .where('identity', '=', identity)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes vectors of other models, one batch. Returns whether there are more. */
export async function deleteOtherVectors(db: Db, identity: string): Promise<boolean> {
  const batch = tables(db)
    .selectFrom('sourceChunkVectors')
    .select('revision')
    .where('identity', '!=', identity)
    .limit(maxDeleted)
  const deleted = await tables(db)
    .deleteFrom('sourceChunkVectors')
    .where('revision', 'in', batch)
    .returning('revision')
    .execute()
  if (deleted.length === maxDeleted) return true
  await tables(db).deleteFrom('sourceVectorModels').where('identity', '!=', identity).execute()
  return false
}

const maxDeleted = 500
