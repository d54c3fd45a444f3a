import type { BackgroundWorker } from '../../kernel/capability/capability.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { messageOf } from '../../kernel/errors/system-error.ts'
import { untilAborted } from '../../kernel/host/with-timeout.ts'
import { catchUp } from './catch-up.ts'
import type { Runtime } from './runtime.ts'
import type { Progress } from './schemas.ts'
import { countFailures, deleteFailuresOf, updateModel } from './store/models.ts'

import { deleteOrphans, hasVectorOf } from './store/vectors.ts'

interface State {
  running?: Promise<void>
  error?: string
  /** The next run processes all memories again. */
  restartRequested: boolean
}

/** Runs the background embedding, one run at a time. */
export function createTracker(runtime: Runtime) {
  const { needs, registry, pendingWork } = runtime
  const state: State = { restartRequested: false }
  const runOnce = async (signal: AbortSignal): Promise<void> => {
    try {
      do {
        if (state.restartRequested) await resetProgress(runtime)
        state.restartRequested = false
        await catchUp({ needs, registry, signal })
      } while (state.restartRequested && !signal.aborted)
      delete state.error
    } catch (error) {
      state.error = messageOf(error)
      throw error
    } finally {
      delete state.running
    }
  }
  const run = (signal?: AbortSignal): Promise<void> => {
    const stopSignal = AbortSignal.any([pendingWork.signal, ...(signal ? [signal] : [])])
    state.running ??= runOnce(stopSignal)
    // A provider that does not answer must not delay shutdown.
    return untilAborted(stopSignal, state.running)
  }
  return {
    /** Joins the current run, if any. */
    run,
    progress: async (): Promise<Progress> => {
      const { active, building, target } = registry.models()
      const identity = target?.identity ?? active?.identity ?? ''
      const memories = needs.memories()
      // Without a scan: the first health check of a start waits for it.
      const [current, superseded, refused] = await Promise.all([
        memories.countCurrent(needs.background, identity),
        memories.countSuperseded(needs.background, hasVectorOf(identity)),
        countFailures(needs.background, identity, memories.isLive),
      ])
      const { running, error } = state
      const idleState = error === undefined ? ('idle' as const) : ('waiting' as const)
      return {
        state: registry.configured() ? (running !== undefined ? 'running' : idleState) : 'disabled',
        active: active?.identity ?? null,
        building: building?.identity ?? null,
        total: current.total + superseded.total,
        embedded: current.embedded + superseded.embedded,
        refused,
        ...(error !== undefined && { error }),
      }
    },
    /**
     * Schedules a full run: checks every memory, retries rejected texts and deletes orphaned vectors.
     * It starts after the current run and closes the circuit breaker immediately.
     */
    startOver: (): void => {
      state.restartRequested = true
      registry.configured()?.reset?.()
      // `progress` reports the error.
      void pendingWork.run(0, () => run().catch(() => undefined))
    },
  }
}

async function resetProgress({ needs, registry }: Runtime): Promise<void> {
  await registry.refresh()
  const { target } = registry.models()
  if (!target) return
  await transaction(needs.db, async (db) => {
    await deleteOrphans(db, needs.memories().isStored)
    await deleteFailuresOf(db, target.identity)
    await updateModel(db, target.identity, { seenRevision: 0 })
  })
}

export type Tracker = ReturnType<typeof createTracker>

/** Wakes early on request; the schedule runs it every few seconds. */
export function embeddingWorker(
  { run }: Pick<Tracker, 'run'>,
  progress: () => Promise<Progress>,
): BackgroundWorker {
  return {
    name: 'embedding',
    status: async () => {
      const { state, total, embedded } = await progress()
      return { running: state === 'running', details: { state, total, embedded } }
    },
    wake: () => {
      // `progress` reports the error.
      void run().catch(() => undefined)
    },
  }
}
