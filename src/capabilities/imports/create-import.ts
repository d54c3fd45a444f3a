import type { Caller } from '../../kernel/auth/caller.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import type { CleanText } from '../../kernel/redaction/clean-text.ts'
import { emitChanged } from './events.ts'
import {
  adapterVersion,
  type DuplicateMode,
  type ImportFile,
  type ImportJob,
  schemaId,
} from './import-job.ts'
import type { ImportsNeeds } from './needs.ts'
import { tooLarge } from './refusals.ts'
import { insertFiles } from './store/files.ts'
import { insertJob } from './store/jobs.ts'
import { assertTarget } from './target.ts'
import { reservationOf, reserve } from './upload/admission.ts'

const maxBodyBytes = 65_536

export interface NewImport {
  readonly files: readonly { readonly name: CleanText; readonly size?: number | undefined }[]
  readonly duplicateMode: DuplicateMode
  /** The declared length of the request. */
  readonly bodyBytes: number
}

/** Creates an import that waits for its files. */
export async function createImport(needs: ImportsNeeds, caller: Caller, input: NewImport) {
  assertTarget(needs, caller)
  if (input.bodyBytes > maxBodyBytes)
    throw tooLarge(`The description of an import has at most ${maxBodyBytes} bytes.`)
  const job = newJob(needs, input.duplicateMode)
  const files = input.files.map(({ name, size }, ordinal) => ({
    ...newFile(needs, job),
    id: needs.host.newId(),
    ordinal,
    name,
    uploadSize: size ?? null,
    reservedBytes: size === undefined ? 0 : reservationOf(size),
  }))
  const freeBytes = await needs.freeBytes()
  await transaction(needs.db, async (db) => {
    for (const { reservedBytes } of files)
      if (reservedBytes > 0) await reserve(needs, db, { bytes: reservedBytes, freeBytes })
    await insertJob(db, job)
    await insertFiles(db, files)
    emitChanged(needs, db, job)
  })
  return { job, files }
}

function newJob({ host, agentId }: ImportsNeeds, duplicateMode: DuplicateMode): ImportJob {
  const now = host.now().toISOString()
  return {
    id: host.newId(),
    kind: 'import',
    agentId,
    schemaId,
    adapterVersion,
    duplicateMode,
    state: 'staging',
    generation: 0,
    controlRequest: null,
    leaseToken: null,
    leaseExpiresAt: null,
    total: 0,
    imported: 0,
    duplicate: 0,
    rejected: 0,
    pending: 0,
    error: null,
    nextAttemptAt: null,
    startedAt: null,
    completedAt: null,
    reconciledAt: null,
    cleanupState: null,
    createdAt: now,
    updatedAt: now,
  }
}

function newFile({ agentId }: ImportsNeeds, job: ImportJob) {
  return {
    agentId,
    jobId: job.id,
    sourceId: null,
    sizeBytes: null,
    contentHash: null,
    state: 'staging',
    storageState: 'uploading',
    uploadGeneration: 0,
    uploadOffset: 0,
    uploadDigest: '',
    checkpointByteOffset: 0,
    checkpointOrdinal: 0,
    checkpointLineNumber: 0,
    recordCount: null,
    malformedCount: 0,
    error: null,
    createdAt: job.createdAt,
    updatedAt: job.createdAt,
  } as const satisfies Partial<ImportFile>
}
