import type { z } from 'zod'
import { initRepository } from './init.ts'
import { readJournal } from './journal.ts'
import type { GitSyncNeeds } from './needs.ts'
import { type GitOutcome, succeed } from './operation.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'
import { createRunner, inRepository } from './runner.ts'
import type { initBody } from './schemas.ts'
import { readStatus } from './status.ts'
import { commitAfterJoin, type SyncOutcome, sync } from './sync.ts'

/** The figures of health, in memory. */
interface GitState {
  lastSync: string | undefined
  /** The last failure; removed by a success. */
  lastFailure: GitOutcome | undefined
  /** Consecutive failures of background runs. */
  failures: number
  /** Failures since the start. */
  totalFailures: number
  /** When background runs continue, in milliseconds; 0 without a backoff. */
  backoffUntil: number
  conflicts: number
  withheld: readonly string[]
}

export type GitService = ReturnType<typeof createGitService>

/** The operations of git sync, one at a time. */
export function createGitService(needs: GitSyncNeeds) {
  const runner = createRunner(needs)
  const { attempt } = runner
  const state: GitState = {
    lastSync: undefined,
    lastFailure: undefined,
    failures: 0,
    totalFailures: 0,
    backoffUntil: 0,
    conflicts: 0,
    withheld: [],
  }
  const record = <Outcome extends GitOutcome>(outcome: Outcome): Outcome => {
    if (outcome.code === 'in_progress') return outcome
    state.lastFailure = outcome.success ? undefined : outcome
    if (!outcome.success) state.totalFailures += 1
    return outcome
  }
  return {
    state,
    config: runner.config,
    configure: runner.configure,
    onChange: runner.onChange,
    status: async () => {
      const isBackingOff = state.backoffUntil > needs.host.now().getTime()
      const { lastSync } = state
      const status = await readStatus(runner.createOperation(), { lastSync, isBackingOff })
      state.conflicts = status.conflicts ?? 0
      return status
    },
    init: async (body: z.output<typeof initBody>) =>
      await attempt((operation) => initRepository(operation, body)),
    pull: async () => record(await attempt(inRepository(pull))),
    push: async () => record(await attempt(inRepository(push))),
    sync: async (signal?: AbortSignal) => {
      const outcome = record(await attempt(inRepository(sync), signal))
      if (outcome.success) recordSync(needs, state, outcome)
      return outcome
    },
    /** For the background. */
    commit: async (signal: AbortSignal) => {
      const work = inRepository(async (operation) => {
        const { commit, withheld } = await commitAfterJoin(operation)
        state.withheld = withheld.map(({ path }) => path)
        return succeed(commit ?? 'nothing to commit')
      })
      return record(await attempt(work, signal))
    },
    /** Completes a pull that a kill has interrupted. */
    recover: async (): Promise<void> => {
      if ((await readJournal(needs.folder)) === undefined) return
      record(await attempt(inRepository(async () => succeed('recovered'))))
    },
    stop: runner.stop,
  }
}

function recordSync(
  { host }: Pick<GitSyncNeeds, 'host'>,
  state: GitState,
  outcome: GitOutcome | SyncOutcome,
): void {
  state.lastSync = host.now().toISOString()
  if (!('pulled' in outcome)) return
  state.withheld = (outcome.withheld ?? []).map(({ path }) => path)
  const copies = (outcome.conflicts ?? []).filter(({ copyPath }) => copyPath !== undefined)
  state.conflicts += copies.length
}
