import type { Caller } from '../../../kernel/auth/caller.ts'
import { listPermissions } from '../../../kernel/auth/permission.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { ExecJob, ExecNeeds, ExecRequest } from './exec-job.ts'
import { runJob } from './run-job.ts'

export type ExecQueue = ReturnType<typeof createExecQueue>

const concurrency = 4
const maxQueued = 64
const maxFinished = 132
const retentionMs = 3_600_000

/** Runs commands with secrets in the order of their arrival. Jobs live in memory. */
export function createExecQueue(needs: ExecNeeds) {
  const jobs = new Map<string, ExecJob>()
  const queued: { readonly job: ExecJob; readonly request: ExecRequest }[] = []
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  const startNext = () => {
    if (running.size >= concurrency || stopping.signal.aborted) return
    const next = queued.shift()
    if (!next) return
    const run = execute(needs, next, stopping.signal).finally(() => {
      running.delete(next.job.id)
      startNext()
    })
    running.set(next.job.id, run)
  }

  return {
    /** Refuses `secrets_locked` and `secret_exec_queue_full`. */
    start: async (caller: Caller, request: ExecRequest) => {
      await needs.store.assertUnlocked()
      removeExpired(needs, jobs)
      if (queued.length >= maxQueued) throw queueFull()
      const { name, agentId } = caller
      const job: ExecJob = {
        id: needs.host.newId(),
        createdBy: { name, agentId },
        createdAt: needs.host.now().toISOString(),
        timeoutMs: request.timeoutMs,
        status: 'queued',
      }
      jobs.set(job.id, job)
      queued.push({ job, request })
      const { id, createdAt, timeoutMs } = job
      startNext()
      return { id, status: 'queued' as const, createdAt, timeoutMs }
    },
    /** Refuses `secret_exec_job_not_found`, also for the job of another caller. */
    read: (caller: Caller, id: string) => {
      removeExpired(needs, jobs)
      const job = jobs.get(id)
      if (!job || !isVisible(caller, job)) throw jobNotFound()
      const { createdBy: _, ...visible } = job
      return visible
    },
    /** Ends the running commands with their process groups. */
    stop: async () => {
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}

interface QueuedJob {
  readonly job: ExecJob
  readonly request: ExecRequest
}

async function execute(needs: ExecNeeds, { job, request }: QueuedJob, signal: AbortSignal) {
  const { host, log, audit } = needs
  const variables = Object.keys(request.secrets)
  const startedAt = host.now()
  Object.assign(job, { status: 'running', startedAt: startedAt.toISOString() })
  const about = { jobId: job.id, variables, references: Object.values(request.secrets) }
  const onResolved = () => {
    audit('secret.resolved_for_exec', job.createdBy, { data: about })
    audit('secret.exec_started', job.createdBy, { data: about })
  }
  log.info({ jobId: job.id, variables }, 'secret exec started')
  try {
    const result = await runJob(needs, request, { signal, onResolved })
    Object.assign(job, { result, status: 'completed' })
  } catch (error) {
    Object.assign(job, { error: explainFailure(log, job.id, error), status: 'failed' })
  }
  const completedAt = host.now()
  job.completedAt = completedAt.toISOString()
  const durationMs = completedAt.getTime() - startedAt.getTime()
  const { status, result } = job
  audit('secret.exec_completed', job.createdBy, {
    result: status === 'completed' ? 'ok' : 'error',
    data: { ...about, status, code: result?.code, durationMs },
  })
  log.info(
    { jobId: job.id, variables, status, code: result?.code, durationMs },
    'secret exec ended',
  )
}

/** A message that is not ours could contain a part of the command or a value. */
function explainFailure(log: ExecNeeds['log'], jobId: string, error: unknown): string {
  if (error instanceof Refusal) return error.message
  const { name: type, stack = '' } = error instanceof Error ? error : new Error('not an error')
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const frames = stack.split('\n').filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line))
  const err = { type, code, stack: frames.join('\n') }
  log.error({ jobId, err }, 'secret exec failed by an unexpected error')
  return 'The command could not be run.'
}

/** Finished jobs, the oldest first: the map has the order of creation. */
function removeExpired({ host }: Pick<ExecNeeds, 'host'>, jobs: Map<string, ExecJob>): void {
  const now = host.now().getTime()
  const finished = [...jobs.values()].filter(({ completedAt }) => completedAt !== undefined)
  const excess = finished.length - maxFinished
  for (const [index, { id, completedAt = '' }] of finished.entries())
    if (index < excess || now - Date.parse(completedAt) > retentionMs) jobs.delete(id)
}

function isVisible(caller: Caller, { createdBy }: ExecJob): boolean {
  const isCreator = caller.name === createdBy.name && caller.agentId === createdBy.agentId
  return isCreator || listPermissions(caller).includes('admin')
}

function queueFull(): Refusal {
  return new Refusal('too_many', 'secret_exec_queue_full', 'secret exec queue is full')
}

function jobNotFound(): Refusal {
  return new Refusal('not_found', 'secret_exec_job_not_found', 'secret exec job not found')
}
