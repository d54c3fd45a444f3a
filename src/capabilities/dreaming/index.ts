import type { Db } from '../../kernel/db/database.ts'
import { memorySaved, memorySettings } from '../memory/index.ts'
import { sessionEnded } from '../sessions/index.ts'
import { dreamingSettings } from './config.ts'
import { enqueueAttention, type NewAttention } from './enqueue-attention.ts'
import { passEnded } from './events.ts'
import { agentRemoval, evidenceDependant } from './forgetting.ts'
import { dreamingHealth } from './health.ts'
import { dreamingMigrations } from './migrations.ts'
import type { ActivePass, DreamingNeeds, DreamingOptions } from './needs.ts'
import { createOverlay } from './overlay.ts'
import { pageRoutes } from './page-routes.ts'
import { passRoutes } from './pass-routes.ts'
import { queueRoutes } from './queue-routes.ts'
import { registryRoutes } from './registry-routes.ts'
import { createRulesThread } from './rules-thread.ts'
import { runPass } from './run-pass.ts'
import { createSchedule, type Schedule } from './schedule/schedule.ts'
import { deleteAttentionOf } from './store/attention.ts'
import { failAbandoned } from './store/passes.ts'
import { sweep } from './sweep.ts'
import { dreamingTools } from './tools.ts'
import { passJob, stoppedError } from './trigger.ts'

export { dreamingSettings } from './config.ts'
export { passEnded } from './events.ts'
export type DreamingCapability = ReturnType<typeof createDreaming>

export const dreamingModule = {
  name: 'dreaming',
  settings: [dreamingSettings],
  migrations: dreamingMigrations,
} as const

/** Longer than any setting of `timeout`. */
const jobTimeoutMs = 2_000_000
const sweepMs = 21_600_000

export function createDreaming(options: DreamingOptions) {
  const active: ActivePass = { current: undefined }
  const { config, database, host, ontology } = options
  const rules = createRulesThread(host)
  const needs: DreamingNeeds = {
    ...options,
    config: () => config.read(dreamingSettings),
    isFrozen: () => config.read(memorySettings).mutationsFrozen,
    exclusive: database.file !== undefined,
    models: options.inference.models,
    ontology: ontology.service,
    owner: host.newId(),
    active,
    rules,
  }
  const schedule = createSchedule(needs)
  followEvents(needs, schedule)
  options.knowledge.overlayMetadata.add(createOverlay(needs))
  return {
    routes: [
      ...passRoutes(needs),
      ...queueRoutes(needs),
      ...registryRoutes(needs),
      ...pageRoutes(needs),
    ],
    tools: dreamingTools(() => needs.config().mcp),
    health: dreamingHealth(needs),
    jobs: [
      {
        kind: passJob,
        background: true,
        timeoutMs: jobTimeoutMs,
        run: (task: Parameters<typeof runPass>[1]) => runPass(needs, task),
      },
    ],
    schedules: [{ name: 'dreaming.sweep', everyMs: sweepMs, run: () => sweep(needs) }],
    evidenceDependant,
    agentRemoval,
    /** Items of other capabilities in the queue of the next pass. */
    attention: {
      enqueue: async (db: Db, item: NewAttention) => {
        const id = await enqueueAttention({ ...needs, db }, item)
        schedule.wake(item.agentId)
        return id
      },
      drop: deleteAttentionOf,
    },
    /** New evidence of another capability may wait for a pass. */
    wake: (agentId: string) => schedule.wake(agentId),
    /** Shown by the status of the pipeline. */
    workers: [
      {
        name: 'dreaming',
        status: async () => ({
          running: needs.config().enabled && needs.gate.isOpen() && !needs.isFrozen(),
          details: { active: active.current !== undefined, nextCheckAt: schedule.nextCheckAt() },
        }),
        wake: () => schedule.wakeNow('default'),
      },
    ],
    /** No daemon continues the passes that it finds running. */
    start: async () => {
      const now = host.now().toISOString()
      const leaseBefore = needs.exclusive ? undefined : now
      await failAbandoned(options.db, { leaseBefore, completedAt: now, error: stoppedError })
      schedule.wakeAll()
      config.onChange(() => schedule.wakeAll())
    },
    stop: async () => {
      schedule.stop()
      active.current?.control.abort(new Error(stoppedError))
      await rules.close()
    },
  }
}

/** What may make a pass due. */
function followEvents({ events }: DreamingNeeds, schedule: Schedule): void {
  events.on(memorySaved, ({ agentId }) => schedule.wake(agentId))
  events.on(sessionEnded, ({ agentId }) => schedule.wake(agentId))
  events.on(passEnded, ({ agentId, status, dryRun }) => {
    if (status === 'completed' && !dryRun) schedule.wakeNow(agentId)
    else schedule.wake(agentId)
  })
}
