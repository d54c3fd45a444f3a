import { createHash, hash } from 'node:crypto'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { releaseBytes } from '../../../kernel/threads/release-memory.ts'
import type { ImportFile } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { conflict } from '../refusals.ts'
import { addReserved, updateUpload } from '../store/files.ts'
import { type FileRef, readFile } from '../target.ts'
import { reservationAfterSeal } from './admission.ts'
import { assertUploading } from './append.ts'
import { chainDigest, hashChunk } from './digest.ts'
import { readChunks } from './read-chunks.ts'

/** Verifies a complete upload and seals it. A repeated call returns the same reply. */
export async function finalizeFile(needs: ImportsNeeds, caller: Caller, at: FileRef) {
  const { job, file } = await readFile(needs, caller, at)
  if (file.storageState !== 'sealed') assertUploading(job, file)
  return seal(needs, file)
}

export async function seal(needs: ImportsNeeds, file: ImportFile) {
  if (file.storageState === 'sealed') return register(needs, file)
  const { uploadSize, uploadOffset } = file
  if (uploadSize === null || uploadOffset !== uploadSize)
    throw conflict(`The upload has ${uploadOffset} of ${uploadSize ?? 'undeclared'} bytes.`)
  const contentHash = await verify(needs, file, uploadSize)
  const reservedBytes = reservationAfterSeal(uploadSize)
  const sealed = {
    contentHash,
    reservedBytes,
    sizeBytes: uploadSize,
    sourceId: sourceIdOf(file),
    state: 'ready',
    storageState: 'sealed',
    updatedAt: needs.host.now().toISOString(),
  } as const
  await transaction(needs.db, async (db) => {
    await addReserved(db, reservedBytes - file.reservedBytes)
    if (!(await updateUpload(db, file, sealed)))
      throw conflict('Another request changed this upload. Read its state.')
  })
  return register(needs, { ...file, ...sealed })
}

/** Lists the file as a source. A kill after the seal is repaired by the next call. */
async function register({ sources }: ImportsNeeds, file: ImportFile) {
  const { agentId, name } = file
  const sealed = toSealed(file)
  await sources.registerImport({ agentId, name, sourceId: sealed.sourceId, importKey: keyOf(file) })
  return sealed
}

/** The same key gives the same id, so that a repeated registration changes nothing. */
function sourceIdOf(file: ImportFile): string {
  return `import-${hash('sha256', keyOf(file)).slice(0, 32)}`
}

function keyOf({ jobId, id, uploadGeneration }: ImportFile): string {
  return `${jobId}:${id}:${uploadGeneration}`
}

function toSealed({ id, sourceId, sizeBytes, contentHash }: ImportFile) {
  return {
    fileId: id,
    sourceId: String(sourceId),
    sizeBytes: Number(sizeBytes),
    contentHash: String(contentHash),
  }
}

/** Reads the stored bytes again. Returns their SHA-256. */
async function verify(needs: ImportsNeeds, file: ImportFile, size: number): Promise<string> {
  const hash = createHash('sha256')
  let digest = ''
  let length = 0
  for await (const { content, checksum } of readChunks(needs.background, file, 0)) {
    if (hashChunk(content) !== checksum)
      throw conflict(`The stored bytes at ${length} are damaged. Reset the upload.`)
    digest = chainDigest(digest, checksum, content.length)
    length += content.length
    hash.update(content)
    releaseBytes(content)
  }
  if (length !== size || digest !== file.uploadDigest)
    throw conflict('The stored bytes are not those that were sent. Reset the upload.')
  return hash.digest('hex')
}
