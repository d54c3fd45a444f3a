import { gt } from 'semver'
import type { Schedule } from '../../kernel/capability/capability.ts'
import { findPointer } from '../../kernel/versions/pointer.ts'
import { createCheck, isUpdateAvailable } from './check/check.ts'
import { updatesSettings } from './config.ts'
import { createCycle } from './cycle.ts'
import { updateDomain, updateHealth } from './health.ts'
import type { StatefulNeeds, UpdateNeeds } from './needs.ts'
import { updateRoutes } from './routes.ts'
import { removeObsolete } from './run/activate.ts'
import { UpdateFailure } from './run/failure.ts'
import { findInstallation } from './run/installation.ts'
import { isLocked } from './run/lock.ts'
import { createState } from './state.ts'

export { updatesSettings } from './config.ts'

export const updateModule = { name: 'update', settings: [updatesSettings] } as const

const cycleMs = 60_000

export function createUpdate(options: UpdateNeeds) {
  const state = createState(options.folder)
  const stopping = new AbortController()
  const base = { ...options, state, stopping: stopping.signal }
  const needs = { ...base, check: createCheck(base) }
  const cycle = createCycle(needs)
  const schedules: readonly Schedule[] = [
    {
      name: 'update.cycle',
      everyMs: cycleMs,
      run: (signal) => {
        signal.addEventListener('abort', () => stopping.abort(), { once: true })
        return cycle.run()
      },
    },
  ]
  return {
    routes: updateRoutes(needs),
    health: updateHealth(needs),
    diagnostics: [updateDomain(needs)],
    schedules,
    /** From memory alone. */
    summary: () => ({ updateAvailable: isUpdateAvailable(needs), pendingRestart: state.pending }),
    /** A line of the session start. */
    notice: { line: () => toNotice(needs) },
    start: async () => {
      await state.load()
      await prepare(needs)
    },
    stop: async () => stopping.abort(),
  }
}

/** Finds the version that waits for a restart, and removes what a killed run has left. */
async function prepare({ host, log, script, state, version }: StatefulNeeds): Promise<void> {
  try {
    const { root } = await findInstallation(script)
    const pointer = await findPointer(root)
    const selected = pointer?.version ?? null
    state.pending = selected !== null && gt(selected, version) ? selected : null
    if (!(await isLocked(host, root))) await removeObsolete(root)
  } catch (error) {
    // The start of the service never depends on its installation.
    if (!(error instanceof UpdateFailure)) log.warn({ err: error }, 'versions not read')
  }
}

function toNotice(needs: StatefulNeeds): string {
  const { config, state } = needs
  if (state.pending !== null)
    return `Reverie ${state.pending} is installed and runs after: reverie restart`
  if (!isUpdateAvailable(needs)) return ''
  return `Reverie ${state.read().releases[config().channel]?.version} is available: reverie upgrade`
}
