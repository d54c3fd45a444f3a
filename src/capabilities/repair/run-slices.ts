import {
  type RepairAction,
  RepairFailure,
  type RepairInput,
  type RepairOutcome,
  type RepairStep,
} from '../../kernel/capability/repair.ts'
import { DatabaseError } from '../../kernel/db/database-error.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Host } from '../../kernel/host/host.ts'
import { repairs } from './actions.ts'
import type { RepairNeeds } from './needs.ts'
import {
  type Actor,
  addOutcome,
  firstPosition,
  type Progress,
  type RepairRun,
  type RunState,
  toTotals,
} from './repair-run.ts'
import { updateOwnRun } from './store/runs.ts'

/** Time in which a request runs slices. The next request continues. */
const budgetMs = 30_000
/** A daemon that saves no slice for this long counts as dead. */
export const leaseMs = 300_000

/** Another daemon has taken the run, because this one was late. */
class LeaseLost extends Error {}

export interface SliceNeeds extends Pick<RepairNeeds, 'db' | 'host' | 'log' | 'recordSystemEvent'> {
  /** Identifies this daemon. */
  readonly owner: string
  /** Aborts when the daemon stops. */
  readonly signal: AbortSignal
}

/** Runs the slices of all parts until the end, the budget or the stop of the daemon. */
export async function runSlices(
  needs: SliceNeeds,
  parts: readonly RepairAction[],
  run: RepairRun,
): Promise<RepairRun> {
  const runner = createRunner(needs, run)
  try {
    const progress = await repeatSlices(needs, parts, {
      input: run.input,
      actor: run.actor,
      progress: run,
      run: (part, step) => runner.runSlice(part, step, parts.length),
    })
    if (needs.signal.aborted && progress.position !== null) return await runner.release()
    return await runner.succeed(describe(parts, progress, false))
  } catch (error) {
    return await runner.fail(error)
  }
}

/** Runs all slices without a write. */
export function previewSlices(
  needs: SliceNeeds,
  parts: readonly RepairAction[],
  { input, actor, progress }: Omit<Slices, 'run'>,
): Promise<Progress> {
  return repeatSlices(needs, parts, {
    input,
    actor,
    progress,
    run: (part, step) =>
      part.run({
        ...step,
        dryRun: true,
        save: () => Promise.reject(new Error('A dry run writes nothing.')),
      }),
  })
}

type Slice = Omit<RepairStep, 'save' | 'dryRun'>

interface Slices {
  readonly input: RepairInput
  readonly actor: Actor
  readonly progress: Progress
  run(part: RepairAction, slice: Slice): Promise<RepairOutcome>
}

async function repeatSlices(
  { host, signal }: SliceNeeds,
  parts: readonly RepairAction[],
  { input, actor, progress, run }: Slices,
): Promise<Progress> {
  const endsAt = host.now().getTime() + budgetMs
  let current: Progress = { ...progress, position: progress.position ?? firstPosition }
  while (current.position !== null && !signal.aborted) {
    const part = parts[current.position.part]
    if (!part) return { ...current, position: null }
    const outcome = await run(part, { input, actor, cursor: current.position.cursor, signal })
    current = addOutcome(current, outcome, parts.length)
    if (outcome.endsRun || host.now().getTime() >= endsAt) break
  }
  return current
}

export function describe(
  parts: readonly RepairAction[],
  progress: Progress,
  dryRun: boolean,
): string {
  const totals = toTotals(progress, dryRun)
  const describer = parts.find((part) => part.describe !== undefined)
  const verb = dryRun ? 'would change' : 'changed'
  return describer?.describe?.(totals) ?? `The repair ${verb} ${progress.affected} rows.`
}

/** Saves the progress of one run; each state follows from the last one. */
function createRunner(needs: SliceNeeds, startedRun: RepairRun) {
  const { db, host, log, owner } = needs
  let run = startedRun
  const save = async (own: RepairNeeds['db'], changed: RepairRun): Promise<RepairRun> => {
    if (!(await updateOwnRun(own, changed, owner))) throw new LeaseLost()
    return changed
  }
  const advance = (outcome: RepairOutcome, parts: number): RepairRun => {
    const now = host.now()
    return {
      ...run,
      ...addOutcome(run, outcome, parts),
      updatedAt: now.toISOString(),
      leaseUntil: new Date(now.getTime() + leaseMs).toISOString(),
    }
  }
  const end = (state: RunState, message: string): RepairRun => {
    const at = host.now().toISOString()
    return { ...run, state, message, owner: null, leaseUntil: null, updatedAt: at, endedAt: at }
  }
  return {
    runSlice: async (part: RepairAction, slice: Slice, parts: number): Promise<RepairOutcome> => {
      let saved: RepairRun | undefined
      const outcome = await part.run({
        ...slice,
        dryRun: false,
        save: (write) =>
          transaction(db, async (own) => {
            const outcome = await write(own)
            saved = await save(own, advance(outcome, parts))
            return outcome
          }),
      })
      run = saved ?? (await save(db, advance(outcome, parts)))
      return outcome
    },
    succeed: async (message: string): Promise<RepairRun> => {
      const ended = end('succeeded', message)
      await transaction(db, async (own) => {
        await save(own, ended)
        await needs.recordSystemEvent(own, toSystemEvent(ended, host))
      })
      run = ended
      return run
    },
    /** The next start continues. */
    release: async (): Promise<RepairRun> => {
      run = await save(db, { ...run, leaseUntil: host.now().toISOString() })
      return run
    },
    fail: async (error: unknown): Promise<RepairRun> => {
      if (error instanceof LeaseLost) throw takenRefusal()
      const isExplained = error instanceof RepairFailure || error instanceof Refusal
      if (!isExplained) log.error({ err: error, repair: run.action }, 'repair failed')
      const message = isExplained ? error.message : 'The repair failed. The log has the reason.'
      run = await save(db, end('failed', message))
      if (error instanceof Refusal || error instanceof DatabaseError) throw error
      return run
    },
  }
}

function toSystemEvent({ action, actor, affected, message, updatedAt }: RepairRun, host: Host) {
  const { name, type, reason, requestId } = actor
  return {
    id: host.newId(),
    changedBy: name,
    actorType: type,
    reason,
    requestId,
    metadata: { repairAction: repairs[action].action, affected, message },
    createdAt: updatedAt,
  }
}

function takenRefusal(): Refusal {
  const message = 'Another daemon continues this repair. Read its run.'
  return new Refusal('conflict', 'repair_taken', message)
}
