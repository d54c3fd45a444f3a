import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { emitChanged } from './events.ts'
import { activeStates, type ImportJob, type JobState } from './import-job.ts'
import type { ImportsNeeds } from './needs.ts'
import { conflict } from './refusals.ts'
import { listFiles } from './store/files.ts'
import { updateJob } from './store/jobs.ts'
import { cancelRecords, resetRejections } from './store/records.ts'
import { readJob } from './target.ts'

export type Control = 'start' | 'pause' | 'resume' | 'retry' | 'cancel'

const leaseCleared = { leaseToken: null, leaseExpiresAt: null } as const

/** The change of a control; undefined if the import is in the wanted state already. */
type Decide = (
  needs: ImportsNeeds,
  db: Db,
  job: ImportJob,
) => Promise<Partial<ImportJob> | undefined>

const controls: Readonly<Record<Control, Decide>> = {
  start: async (_needs, db, job) => {
    if (activeStates.includes(job.state)) return undefined
    assertState(job, 'start', ['staging'])
    const unready = (await listFiles(db, job.id)).find(({ state }) => state !== 'ready')
    if (unready) throw conflict(`'${unready.name}' is not finalized.`)
    return { state: 'queued' }
  },
  pause: async (_needs, _db, job) => {
    assertState(job, 'pause', activeStates)
    if (job.controlRequest === 'pause') return undefined
    return job.state === 'queued' ? toPaused(job) : { controlRequest: 'pause' }
  },
  resume: async (_needs, _db, job) => {
    assertState(job, 'resume', ['paused'])
    return { state: 'queued' }
  },
  retry: async ({ host }, db, job) => {
    assertState(job, 'retry', ['failed', 'completed_with_rejections', 'paused', 'completed'])
    const reset = await resetRejections(db, job.id, host.now().toISOString())
    return {
      state: 'queued',
      generation: job.generation + 1,
      rejected: job.rejected - reset,
      pending: job.pending + reset,
      error: null,
      nextAttemptAt: null,
      completedAt: null,
      reconciledAt: null,
      controlRequest: null,
      ...leaseCleared,
    }
  },
  cancel: async ({ host }, db, job) => {
    assertState(job, 'cancel', ['staging', 'paused', 'failed', ...activeStates])
    const now = host.now().toISOString()
    await cancelRecords(db, job.id, now)
    return toCancelled(job, now)
  },
}

/** A cancelled import, whose incomplete uploads the worker deletes. */
export function toCancelled(
  { generation }: Pick<ImportJob, 'generation'>,
  completedAt: string,
): Partial<ImportJob> {
  return {
    state: 'cancelled',
    generation: generation + 1,
    pending: 0,
    controlRequest: null,
    cleanupState: 'pending',
    completedAt,
    ...leaseCleared,
  }
}

export function toPaused({ generation }: Pick<ImportJob, 'generation'>): Partial<ImportJob> {
  return {
    state: 'paused',
    generation: generation + 1,
    controlRequest: null,
    ...leaseCleared,
  }
}

function assertState({ state }: ImportJob, control: Control, from: readonly JobState[]): void {
  if (!from.includes(state)) throw conflict(`The import is ${state}; ${control} is not possible.`)
}

const attempts = 5

/** Starts, pauses, resumes, retries or cancels an import. A cancelled one never changes. */
export async function controlImport(
  needs: ImportsNeeds,
  caller: Caller,
  { jobId, control }: { readonly jobId: string; readonly control: Control },
) {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const job = await readJob(needs, caller, jobId)
    const toReply = (changed: boolean, state: JobState) => ({ jobId, control, changed, state })
    if (job.state === 'cancelled') return toReply(false, job.state)
    const applied = await apply(needs, job, control)
    if (applied === 'unchanged') return toReply(false, job.state)
    if (applied === 'conflict') continue
    needs.wake()
    return toReply(true, applied)
  }
  throw conflict('The import changes at the moment. Retry.')
}

async function apply(needs: ImportsNeeds, job: ImportJob, control: Control) {
  try {
    return await transaction(needs.db, async (db) => {
      const changed = await controls[control](needs, db, job)
      if (!changed) return 'unchanged'
      const updatedAt = needs.host.now().toISOString()
      // Rolls back the records, too.
      if (!(await updateJob(db, job, { ...changed, updatedAt }))) throw new ConcurrentChange()
      const state = changed.state ?? job.state
      emitChanged(needs, db, { ...job, state })
      return state
    })
  } catch (error) {
    if (error instanceof ConcurrentChange) return 'conflict'
    throw error
  }
}

class ConcurrentChange extends Error {}
