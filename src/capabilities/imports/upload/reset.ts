import type { Caller } from '../../../kernel/auth/caller.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { ImportFile } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { conflict } from '../refusals.ts'
import { addReserved, deleteChunks, updateUpload } from '../store/files.ts'
import { type FileRef, readFile } from '../target.ts'

/** Small, so that other writes wait only briefly. */
const batchSize = 16

/** Deletes the bytes of an incomplete upload. The next generation starts empty. */
export async function resetFile(needs: ImportsNeeds, caller: Caller, at: FileRef) {
  const { job, file } = await readFile(needs, caller, at)
  if (job.state !== 'staging')
    throw conflict(`The import is ${job.state}; only staged files reset.`)
  if (file.storageState !== 'uploading' && file.storageState !== 'purging')
    throw conflict(`The file is ${file.storageState} and cannot be reset.`)
  const purging = await purgeChunks(needs, file)
  const empty = {
    storageState: 'uploading',
    uploadGeneration: purging.uploadGeneration + 1,
    uploadOffset: 0,
    uploadSize: null,
    uploadDigest: '',
    contentHash: null,
    updatedAt: needs.host.now().toISOString(),
  } as const
  if (!(await updateUpload(needs.db, purging, empty)))
    throw conflict('Another request changed this upload. Read its state.')
  return { ...purging, ...empty }
}

/** Closes the upload, then deletes its bytes. Can be repeated after an interruption. */
export async function purgeChunks(needs: ImportsNeeds, file: ImportFile): Promise<ImportFile> {
  const purging = { ...file, storageState: 'purging', reservedBytes: 0 } as const
  await transaction(needs.db, async (db) => {
    const { storageState, reservedBytes } = purging
    if (!(await updateUpload(db, file, { storageState, reservedBytes })))
      throw conflict('Another request changed this upload. Read its state.')
    await addReserved(db, -file.reservedBytes)
  })
  await deleteAllChunks(needs.db, file.id)
  return purging
}

export async function deleteAllChunks(db: Db, fileId: string): Promise<void> {
  while ((await deleteChunks(db, fileId, batchSize)) === batchSize);
}
