import type { Db } from '../../../kernel/db/database.ts'
import { insertRows } from '../../../kernel/db/insert-rows.ts'
import { type CheckpointRow, type FileRow, tables } from './rows.ts'

export async function findCheckpoint(
  db: Db,
  sourceId: string,
  key: string,
): Promise<CheckpointRow | undefined> {
  return tables(db)
    .selectFrom('sourceCheckpoints')
    .selectAll()
    .where('sourceId', '=', sourceId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function saveCheckpoint(db: Db, checkpoint: CheckpointRow): Promise<void> {
  const { generation, cursorJson, status, updatedAt } = checkpoint
  await tables(db)
    .insertInto('sourceCheckpoints')
    .values(checkpoint)
    .onConflict((conflict) =>
      conflict
        .columns(['sourceId', 'key'])
        .doUpdateSet({ generation, cursorJson, status, updatedAt }),
    )
    .execute()
}

export async function deleteCheckpoint(db: Db, sourceId: string, key: string): Promise<void> {
  await tables(db)
    .deleteFrom('sourceCheckpoints')
    .where('sourceId', '=', sourceId)
    .where('key', '=', key)
    .execute()
}

export async function listCheckpoints(db: Db, sourceId: string): Promise<CheckpointRow[]> {
  return tables(db)
    .selectFrom('sourceCheckpoints')
    .selectAll()
    .where('sourceId', '=', sourceId)
    .orderBy('key')
    .limit(maxListed)
    .execute()
}

const maxListed = 10_000

/** Deletes what a source remembers of its runs. */
export async function deleteRunState(
  db: Db,
  { sourceId, generation }: { readonly sourceId: string; readonly generation?: string | undefined },
): Promise<void> {
  await tables(db)
    .deleteFrom('sourceCheckpoints')
    .where('sourceId', '=', sourceId)
    .$if(generation !== undefined, (query) => query.where('generation', '=', generation ?? ''))
    .execute()
  await tables(db)
    .deleteFrom('sourceFiles')
    .where('sourceId', '=', sourceId)
    .$if(generation !== undefined, (query) => query.where('generation', '=', generation ?? ''))
    .execute()
}

/** The manifest after a path, in order. */
export async function listFiles(
  db: Db,
  sourceId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<FileRow[]> {
  const rows = await tables(db)
    .selectFrom('sourceFiles')
    .selectAll()
    .where('sourceId', '=', sourceId)
    .where('path', '>', after)
    .orderBy('path')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, size: Number(row.size) }))
}

export async function saveFiles(db: Db, files: readonly FileRow[]): Promise<void> {
  await insertRows(db, 'sourceFiles', files, (conflict) =>
    conflict.columns(['sourceId', 'path']).doUpdateSet(({ ref }) => ({
      generation: ref('excluded.generation'),
      size: ref('excluded.size'),
      mtimeMs: ref('excluded.mtimeMs'),
      inode: ref('excluded.inode'),
      sha256: ref('excluded.sha256'),
    })),
  )
}

export async function deleteFile(db: Db, sourceId: string, path: string): Promise<void> {
  await tables(db)
    .deleteFrom('sourceFiles')
    .where('sourceId', '=', sourceId)
    .where('path', '=', path)
    .execute()
}
