import type { Caller } from '../../../kernel/auth/caller.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { ByteBody } from '../../../kernel/http/byte-body.ts'
import { releaseBytes } from '../../../kernel/threads/release-memory.ts'
import type { ImportFile, ImportJob } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { conflict, invalidChunk, tooLarge } from '../refusals.ts'
import { insertChunks, listChecksums, updateUpload } from '../store/files.ts'
import { assertTarget, type FileRef, readFile } from '../target.ts'
import { reservationOf, reserve } from './admission.ts'
import { chainDigest, hashBody, splitChunks } from './digest.ts'
import { type AppendHeaders, chunkBytes, maxAppendBytes, readAppendHeaders } from './headers.ts'

interface AppendRequest extends FileRef {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: ByteBody
}

/** Stores the next part of a file. A repeated part is verified and changes nothing. */
export async function appendChunk(needs: ImportsNeeds, caller: Caller, request: AppendRequest) {
  assertTarget(needs, caller)
  const headers = readAppendHeaders(request.headers)
  const { job, file } = await readFile(needs, caller, request)
  assertUploading(job, file)
  assertDeclared(file, headers)
  return needs.transfers.run(async () => {
    const body = await request.bytes.read(maxAppendBytes)
    if (!body) throw tooLarge(`A chunk has at most ${maxAppendBytes} bytes.`)
    assertShape(body, headers)
    if ((await hashBody(body)) !== headers.checksum)
      throw invalidChunk('Upload-Checksum is not the SHA-256 of the body.')
    const state = await append(needs, file, { ...headers, body })
    releaseBytes(body)
    return state
  })
}

export function assertUploading(job: ImportJob, file: ImportFile): void {
  if (job.state !== 'staging') throw conflict(`The import is ${job.state} and takes no bytes.`)
  if (file.storageState !== 'uploading')
    throw conflict(`The file is ${file.storageState} and takes no bytes.`)
}

export function assertDeclared(
  file: ImportFile,
  { length, generation }: Pick<AppendHeaders, 'length' | 'generation'>,
): void {
  if (generation !== file.uploadGeneration)
    throw conflict(`The upload has generation ${file.uploadGeneration}, not ${generation}.`)
  if (file.uploadSize !== null && file.uploadSize !== length)
    throw conflict(`The file was declared with ${file.uploadSize} bytes, not ${length}.`)
}

function assertShape(body: Buffer, { offset, length }: AppendHeaders): void {
  if (body.length === 0) throw invalidChunk('The body is empty.')
  const end = offset + body.length
  if (end > length) throw tooLarge(`The chunk ends at ${end}, after the ${length} bytes declared.`)
  if (end < length && body.length % chunkBytes !== 0)
    throw invalidChunk(`Each chunk but the last has a multiple of ${chunkBytes} bytes.`)
}

interface Part {
  readonly body: Buffer
  readonly offset: number
  readonly length: number
}

export interface UploadState {
  readonly offset: number
  readonly generation: number
}

/** The file must be as the database has it; a concurrent change is a conflict. */
export async function append(
  needs: ImportsNeeds,
  file: ImportFile,
  part: Part,
): Promise<UploadState> {
  const { uploadOffset, uploadGeneration: generation } = file
  if (part.offset > uploadOffset)
    throw conflict(`The upload continues at ${uploadOffset}, not at ${part.offset}.`)
  if (part.offset < uploadOffset) {
    await assertReplay(needs, file, part)
    return { offset: uploadOffset, generation }
  }
  await store(needs, file, part)
  return { offset: uploadOffset + part.body.length, generation }
}

async function assertReplay(needs: ImportsNeeds, file: ImportFile, part: Part): Promise<void> {
  if (part.offset + part.body.length > file.uploadOffset)
    throw conflict(`The chunk overlaps the end of the upload at ${file.uploadOffset}.`)
  const chunks = splitChunks(part.body)
  const stored = await listChecksums(needs.db, {
    fileId: file.id,
    generation: file.uploadGeneration,
    from: part.offset,
    limit: chunks.length,
  })
  const isSame = chunks.every(({ checksum }, index) => checksum === stored[index]?.checksum)
  if (!isSame) throw conflict(`The upload has other bytes at ${part.offset}.`)
}

async function store(needs: ImportsNeeds, file: ImportFile, part: Part): Promise<void> {
  const chunks = splitChunks(part.body)
  const uploadDigest = chunks.reduce(
    (digest, { bytes, checksum }) => chainDigest(digest, checksum, bytes.length),
    file.uploadDigest,
  )
  const isFirst = file.reservedBytes === 0
  const reservedBytes = isFirst ? reservationOf(part.length) : file.reservedBytes
  const freeBytes = isFirst ? await needs.freeBytes() : undefined
  const { agentId, id: fileId, uploadGeneration: generation } = file
  await transaction(needs.db, async (db) => {
    if (isFirst) await reserve(needs, db, { bytes: reservedBytes, freeBytes })
    const isCurrent = await updateUpload(db, file, {
      uploadDigest,
      reservedBytes,
      uploadSize: part.length,
      uploadOffset: part.offset + part.body.length,
      updatedAt: needs.host.now().toISOString(),
    })
    if (!isCurrent) throw conflict('Another request changed this upload. Read its offset.')
    await insertChunks(
      db,
      chunks.map(({ bytes, checksum }, index) => {
        const byteOffset = part.offset + index * chunkBytes
        return { agentId, fileId, generation, byteOffset, checksum, content: bytes }
      }),
    )
  })
}
