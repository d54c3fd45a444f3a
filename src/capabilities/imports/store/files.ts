import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { ImportFile } from '../import-job.ts'
import { type ChunkRow, tables } from './rows.ts'

export async function insertFiles(db: Db, files: readonly ImportFile[]): Promise<void> {
  await tables(db)
    .insertInto('transcriptImportFiles')
    .values([...files])
    .execute()
}

export function listFiles(db: Db, jobId: string): Promise<ImportFile[]> {
  return tables(db)
    .selectFrom('transcriptImportFiles')
    .selectAll()
    .where('jobId', '=', jobId)
    .orderBy('ordinal')
    .execute()
}

export function findFile(
  db: Db,
  { agentId, jobId, id }: Pick<ImportFile, 'agentId' | 'jobId' | 'id'>,
): Promise<ImportFile | undefined> {
  return tables(db)
    .selectFrom('transcriptImportFiles')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('jobId', '=', jobId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function listFilesOfSource(db: Db, agentId: string, sourceId: string) {
  return tables(db)
    .selectFrom('transcriptImportFiles')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('sourceId', '=', sourceId)
    .execute()
}

type Progress = Pick<ImportFile, 'id' | 'uploadGeneration' | 'uploadOffset' | 'storageState'>

/** Compare-and-set on the upload progress. False after a concurrent change. */
export async function updateUpload(
  db: Db,
  { id, uploadGeneration, uploadOffset, storageState }: Progress,
  changed: Partial<ImportFile>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('transcriptImportFiles')
    .set(changed)
    .where('id', '=', id)
    .where('uploadGeneration', '=', uploadGeneration)
    .where('uploadOffset', '=', uploadOffset)
    .where('storageState', '=', storageState)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function updateFile(db: Db, id: string, changed: Partial<ImportFile>): Promise<void> {
  await tables(db).updateTable('transcriptImportFiles').set(changed).where('id', '=', id).execute()
}

interface Checkpoint
  extends Pick<
    ImportFile,
    'checkpointByteOffset' | 'checkpointOrdinal' | 'checkpointLineNumber' | 'updatedAt'
  > {
  /** Further malformed lines. */
  readonly malformed: number
}

export async function moveCheckpoint(
  db: Db,
  id: string,
  { malformed, ...position }: Checkpoint,
): Promise<void> {
  await tables(db)
    .updateTable('transcriptImportFiles')
    .set(({ eb }) => ({ ...position, malformedCount: eb('malformedCount', '+', malformed) }))
    .where('id', '=', id)
    .execute()
}

export async function insertChunks(db: Db, chunks: readonly ChunkRow[]): Promise<void> {
  await tables(db)
    .insertInto('sourceImportChunks')
    .values([...chunks])
    .execute()
}

type Range = Pick<ChunkRow, 'fileId' | 'generation'> & {
  readonly from: number
  readonly limit: number
}

function chunkQuery(db: Db, { fileId, generation, from, limit }: Range) {
  return tables(db)
    .selectFrom('sourceImportChunks')
    .where('fileId', '=', fileId)
    .where('generation', '=', generation)
    .where('byteOffset', '>=', from)
    .orderBy('byteOffset')
    .limit(limit)
}

/** In the order of the file, from the chunk at this offset. */
export async function listChunks(db: Db, range: Range) {
  const rows = await chunkQuery(db, range).select(['byteOffset', 'checksum', 'content']).execute()
  return rows.map((row) => {
    const { buffer, byteOffset, byteLength } = row.content
    return { ...row, content: Buffer.from(buffer, byteOffset, byteLength) }
  })
}

export function listChecksums(db: Db, range: Range) {
  return chunkQuery(db, range).select(['byteOffset', 'checksum']).execute()
}

/** Deletes some chunks of a file, of all generations. Returns their number. */
export async function deleteChunks(db: Db, fileId: string, limit: number): Promise<number> {
  const some = await tables(db)
    .selectFrom('sourceImportChunks')
    .select(['generation', 'byteOffset'])
    .where('fileId', '=', fileId)
    .orderBy('generation')
    .orderBy('byteOffset')
    .limit(limit)
    .execute()
  const last = some.at(-1)
  if (!last) return 0
  const { numDeletedRows } = await tables(db)
    .deleteFrom('sourceImportChunks')
    .where('fileId', '=', fileId)
    .where(({ eb, or, and }) =>
      or([
        eb('generation', '<', last.generation),
        and([eb('generation', '=', last.generation), eb('byteOffset', '<=', last.byteOffset)]),
      ]),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Adds to the reserved total and returns it. */
export async function addReserved(db: Db, bytes: number): Promise<number> {
  const { reservedBytes } = await tables(db)
    .updateTable('sourceImportCapacity')
    .set({
      reservedBytes: sql<number>`case when reserved_bytes + ${bytes} < 0 then 0
        else reserved_bytes + ${bytes} end`,
    })
    .where('id', '=', 1)
    .returning('reservedBytes')
    .executeTakeFirstOrThrow()
  return Number(reservedBytes)
}

export async function measureUploads(db: Db) {
  const { staged } = await tables(db)
    .selectFrom('transcriptImportFiles')
    .select(({ fn }) => fn.sum<number | null>('uploadOffset').as('staged'))
    .where('storageState', 'in', ['uploading', 'sealed'])
    .executeTakeFirstOrThrow()
  const row = await tables(db)
    .selectFrom('sourceImportCapacity')
    .select('reservedBytes')
    .executeTakeFirstOrThrow()
  return { stagedBytes: Number(staged ?? 0), reservedBytes: Number(row.reservedBytes) }
}
