import type { z } from 'zod'
import type { BackgroundWorker } from '../../kernel/capability/capability.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { messageOf } from '../../kernel/errors/system-error.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { PipelineNeeds, PipelineSettings } from './needs.ts'
import type { mode, nudgeReply, statusReply } from './schemas.ts'

type Mode = z.output<typeof mode>
type StatusNeeds = Pick<
  PipelineNeeds,
  'gate' | 'host' | 'jobs' | 'measurements' | 'report' | 'settings' | 'workers'
>

export function toMode({ enabled, paused, mutationsFrozen }: PipelineSettings): Mode {
  if (!enabled) return 'disabled'
  if (paused) return 'paused'
  return mutationsFrozen ? 'frozen' : 'controlled-write'
}

/** The names of the contract; a worker that no capability contributes does not run. */
const contractWorkers = [
  'document',
  'dreaming',
  'retention',
  'summary',
  'maintenance',
  'transcriptImport',
]

/** No job writes summaries. */
const summaryQueue = { pending: 0, leased: 0, completed: 0, failed: 0, dead: 0 }

export async function readPipeline(needs: StatusNeeds): Promise<z.input<typeof statusReply>> {
  const { gate, jobs, measurements, report, settings, workers } = needs
  const [counts, diagnostics, states] = await Promise.all([
    jobs.counts(),
    report(),
    Promise.all(workers.list().map((worker) => readWorker(needs, worker))),
  ])
  const { pending, leased, completed, failed, dead } = counts
  return {
    mode: toMode(settings()),
    gateOpen: gate.isOpen(),
    workers: {
      ...Object.fromEntries(contractWorkers.map((name) => [name, { running: false }])),
      ...Object.fromEntries(states),
    },
    queues: { memory: { pending, leased, completed, failed, dead }, summary: summaryQueue },
    diagnostics,
    ...measurements(),
  }
}

const workerTimeoutMs = 2_000

async function readWorker({ host }: Pick<PipelineNeeds, 'host'>, worker: BackgroundWorker) {
  const read = worker.status().then(
    ({ running, details }) => ({ ...details, running }),
    (error: unknown) => ({ running: false, error: messageOf(error) }),
  )
  const late = { running: false, error: 'its status takes too long' }
  return [worker.name, (await withTimeout(host, workerTimeoutMs, read)) ?? late] as const
}

/** Lets every worker look for work now. */
export function nudge({
  settings,
  workers,
}: Pick<PipelineNeeds, 'settings' | 'workers'>): z.input<typeof nudgeReply> {
  const { enabled, paused } = settings()
  if (!enabled)
    throw new Refusal(
      'unavailable',
      'pipeline_disabled',
      'The pipeline is disabled. Set memory.pipelineV2.enabled to true.',
    )
  if (paused)
    throw new Refusal(
      'unavailable',
      'pipeline_paused',
      'The pipeline is paused. Resume it with reverie pipeline resume.',
    )
  const sleeping = workers.list().filter(({ wake }) => wake !== undefined)
  for (const worker of sleeping) worker.wake?.()
  return { nudged: true, woke: sleeping.map(({ name }) => name) }
}

/** Never affects readiness. */
export function pipelineHealth({
  gate,
  settings,
}: Pick<PipelineNeeds, 'gate' | 'settings'>): HealthCheck {
  return {
    name: 'pipeline',
    check: async () => {
      const mode = toMode(settings())
      const reason = mode === 'paused' && 'background work is paused: reverie pipeline resume'
      return toHealth([reason], { mode, gateOpen: gate.isOpen() })
    },
  }
}
