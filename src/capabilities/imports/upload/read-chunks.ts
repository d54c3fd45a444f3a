import type { Caller } from '../../../kernel/auth/caller.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { Stream } from '../../../kernel/http/stream.ts'
import type { ImportFile } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { conflict } from '../refusals.ts'
import { listChunks } from '../store/files.ts'
import { type FileRef, readFile } from '../target.ts'
import { chunkBytes } from './headers.ts'

/** Chunks of one query: 1 MiB. */
const batchSize = 16

type Stored = Pick<ImportFile, 'id' | 'uploadGeneration'>

/** The stored chunks in order, from the one that holds this offset. */
export async function* readChunks(db: Db, file: Stored, offset: number) {
  const { id: fileId, uploadGeneration: generation } = file
  let from = offset - (offset % chunkBytes)
  for (;;) {
    const chunks = await listChunks(db, { fileId, generation, from, limit: batchSize })
    yield* chunks
    if (chunks.length < batchSize) return
    from += batchSize * chunkBytes
  }
}

/** The bytes of a range. */
export async function readRange(
  db: Db,
  file: Stored,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Buffer> {
  const parts: Buffer[] = []
  let missing = length
  for await (const { byteOffset, content } of readChunks(db, file, offset)) {
    const start = Math.max(0, offset - byteOffset)
    const part = content.subarray(start, start + missing)
    parts.push(part)
    missing -= part.length
    if (missing === 0) break
  }
  return Buffer.concat(parts)
}

/** The exact bytes of a sealed file. */
export async function readContent(
  needs: ImportsNeeds,
  caller: Caller,
  at: FileRef,
): Promise<Stream> {
  const { file } = await readFile(needs, caller, at)
  if (file.storageState !== 'sealed')
    throw conflict(`The file is ${file.storageState}, not sealed. Finalize its upload.`)
  async function* chunks() {
    for await (const { content } of readChunks(needs.db, file, 0)) yield content
  }
  return new Stream({
    contentType: 'application/x-ndjson',
    chunks: chunks(),
    headers: { 'content-length': String(file.sizeBytes) },
  })
}
