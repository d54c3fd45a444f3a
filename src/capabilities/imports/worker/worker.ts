import { transaction } from '../../../kernel/db/transaction.ts'
import { emitChanged } from '../events.ts'
import type { ImportFile, ImportJob } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { addReserved, listFiles, updateFile } from '../store/files.ts'
import {
  claimJob,
  listJobsToClean,
  releaseLeases,
  setCleanupState,
  updateLeased,
} from '../store/jobs.ts'
import { purgeChunks } from '../upload/reset.ts'
import { LeaseLost, leaseUntil } from './lease.ts'
import { runJob } from './run-job.ts'

/** Other daemons may queue imports without waking this one. */
const idlePollMs = 5000
const retryDelayMs = 60_000

/** Runs one import at a time. `run` is called every 250 ms. */
export function createImportWorker(needs: Omit<ImportsNeeds, 'wake'>) {
  let isWoken = true
  let lastPollMs = 0
  const wake = () => {
    isWoken = true
  }
  const own = { ...needs, wake }
  return {
    wake,
    /** Releases what a killed daemon held. Its position is in the files. */
    recover: () => releaseLeases(needs.db, needs.daemonId, needs.host.now().toISOString()),
    run: async (signal: AbortSignal) => {
      const nowMs = needs.host.now().getTime()
      if (!isWoken && nowMs - lastPollMs < idlePollMs) return
      isWoken = false
      lastPollMs = nowMs
      await cleanUp(own, signal)
      while (!signal.aborted && (await runNext(own, signal)));
    },
  }
}

/** False if no import waits. */
async function runNext(needs: ImportsNeeds, signal: AbortSignal): Promise<boolean> {
  const { db, host, log } = needs
  const now = host.now()
  const job = await claimJob(db, {
    leaseToken: `${needs.daemonId}:${host.newId()}`,
    leaseExpiresAt: leaseUntil(now),
    now: now.toISOString(),
  })
  if (!job) return false
  try {
    await runJob({ needs, job, signal })
  } catch (error) {
    if (error instanceof LeaseLost) return true
    if (signal.aborted) await release(needs, job)
    else await fail(needs, job, error)
    if (!signal.aborted) log.error({ err: error, import: job.id }, 'import failed')
  }
  return true
}

/** The next start continues at the checkpoint. */
async function release({ db, host }: ImportsNeeds, job: ImportJob): Promise<void> {
  const updatedAt = host.now().toISOString()
  const released = { state: 'queued', leaseToken: null, leaseExpiresAt: null, updatedAt } as const
  await updateLeased(db, job, released)
}

async function fail(needs: ImportsNeeds, job: ImportJob, error: unknown): Promise<void> {
  const { db, host } = needs
  const now = host.now()
  const isFailed = await updateLeased(db, job, {
    state: 'failed',
    // Messages of a database may quote values.
    error: error instanceof Error ? error.name : 'Error',
    nextAttemptAt: new Date(now.getTime() + retryDelayMs).toISOString(),
    leaseToken: null,
    leaseExpiresAt: null,
    updatedAt: now.toISOString(),
  })
  if (isFailed) emitChanged(needs, db, { ...job, state: 'failed' })
}

const cleanBatchSize = 10

/** Deletes the incomplete uploads of cancelled imports, and releases their disk space. */
async function cleanUp(needs: ImportsNeeds, signal: AbortSignal): Promise<void> {
  for (const { id } of await listJobsToClean(needs.db, cleanBatchSize)) {
    if (signal.aborted) return
    for (const file of await listFiles(needs.db, id)) await purgeIncomplete(needs, file)
    const updatedAt = needs.host.now().toISOString()
    await setCleanupState(needs.db, id, { cleanupState: 'complete', updatedAt })
  }
}

async function purgeIncomplete(needs: ImportsNeeds, file: ImportFile): Promise<void> {
  const isIncomplete = file.storageState === 'uploading' || file.storageState === 'purging'
  if (!isIncomplete) return releaseReserved(needs, file)
  const purging = await purgeChunks(needs, file)
  await updateFile(needs.db, purging.id, { storageState: 'purged', uploadOffset: 0 })
}

/** The stored bytes of a sealed file stay, and no conversation is added to them. */
async function releaseReserved({ db }: ImportsNeeds, { id, reservedBytes }: ImportFile) {
  if (reservedBytes === 0) return
  await transaction(db, async (db) => {
    await addReserved(db, -reservedBytes)
    await updateFile(db, id, { reservedBytes: 0 })
  })
}
