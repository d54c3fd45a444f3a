import { transaction } from '../../kernel/db/transaction.ts'
import { untilAborted } from '../../kernel/host/until-aborted.ts'
import { catchUp } from './catch-up.ts'
import type { Runtime } from './runtime.ts'
import { countFailures, deleteFailuresOf } from './store/failures.ts'
import { updateModel } from './store/models.ts'
import { deleteOrphans, hasVectorOf } from './store/vectors.ts'

/** How far the vectors of the configured model are. */
export interface Progress {
  /** `waiting` when the last run failed, for the reason in `error`. */
  readonly state: 'idle' | 'running' | 'waiting' | 'disabled'
  /** The identity that answers searches. */
  readonly active: string | null
  /** The one that will, once it is complete. */
  readonly building: string | null
  readonly total: number
  readonly embedded: number
  /** Set aside because the provider will not have them. */
  readonly refused: number
  readonly error?: string
}

interface State {
  running?: Promise<void>
  error?: string
  /** All is to be looked at once more, by a run that has not begun yet. */
  anew: boolean
}

/** The work behind the answers, one run at a time. */
export function createTracker(runtime: Runtime) {
  const { needs, makers, underWay } = runtime
  const state: State = { anew: false }
  const runOnce = async (signal: AbortSignal): Promise<void> => {
    try {
      do {
        if (state.anew) await beginAnew(runtime)
        state.anew = false
        await catchUp({ needs, makers, signal })
      } while (state.anew && !signal.aborted)
      delete state.error
    } catch (error) {
      state.error = error instanceof Error ? error.message : String(error)
      throw error
    } finally {
      delete state.running
    }
  }
  const run = (signal?: AbortSignal): Promise<void> => {
    const stopped = AbortSignal.any([underWay.signal, ...(signal ? [signal] : [])])
    state.running ??= runOnce(stopped)
    // A provider that does not answer keeps nobody from stopping.
    return untilAborted(stopped, state.running)
  }
  return {
    /** Joins the run that is under way, if there is one. */
    run,
    progress: async (): Promise<Progress> => {
      const { active, building, target } = makers.models()
      const identity = target?.identity ?? active?.identity ?? ''
      const [coverage, refused] = await Promise.all([
        needs.memories().countLive(needs.background, hasVectorOf(identity)),
        countFailures(needs.background, identity, needs.memories().isLive),
      ])
      const { running, error } = state
      const resting = error === undefined ? ('idle' as const) : ('waiting' as const)
      return {
        state: makers.configured() ? (running !== undefined ? 'running' : resting) : 'disabled',
        ...{ active: active?.identity ?? null, building: building?.identity ?? null },
        ...{ total: coverage.total, embedded: coverage.embedded, refused },
        ...(error !== undefined && { error }),
      }
    },
    /**
     * Looks at every memory anew, tries again what was set aside, and drops what is nobody's, once
     * the run that is under way has ended. A provider that was left alone is asked at once.
     */
    startOver: (): void => {
      state.anew = true
      makers.configured()?.tryAgain?.()
      // What it fails by is told by `progress`.
      void underWay.within(0, () => run().catch(() => undefined))
    },
  }
}

async function beginAnew({ needs, makers }: Runtime): Promise<void> {
  await makers.settle()
  const { target } = makers.models()
  if (!target) return
  await transaction(needs.db, async (db) => {
    await deleteOrphans(db, needs.memories().isKept)
    await deleteFailuresOf(db, target.identity)
    await updateModel(db, target.identity, { seenRevision: 0 })
  })
}

export type Tracker = ReturnType<typeof createTracker>
