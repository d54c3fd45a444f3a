import type { Check } from './check/check.ts'
import { isMajorUpgrade, isUpdateAvailable } from './check/check.ts'
import type { StatefulNeeds } from './needs.ts'
import { type RunNeeds, runUpdate } from './run/run-update.ts'

export interface Cycle {
  /** Checks and installs when the interval is over; without `auto_install` nothing happens. */
  run(): Promise<void>
}

/** The background updates; a major version waits for a person. */
export function createCycle(needs: RunNeeds & { readonly check: Check }): Cycle {
  const { config, host, state } = needs
  let lastRunAt: number | undefined
  const isDue = () => {
    const { auto_install, check_interval } = config()
    if (!auto_install || state.progress.state !== 'idle') return false
    const now = host.now().getTime()
    // A clock that is set back does not delay the next run.
    return lastRunAt === undefined || Math.abs(now - lastRunAt) >= check_interval * 1000
  }
  return {
    run: async () => {
      if (!isDue()) return
      lastRunAt = host.now().getTime()
      const { latestVersion } = await needs.check({ force: true })
      if (latestVersion === null || !isUpdateAvailable(needs)) return
      if (isMajorUpgrade(needs.version, latestVersion)) return saveMajor(needs, latestVersion)
      await installLatest(needs, latestVersion)
    },
  }
}

async function saveMajor({ state }: StatefulNeeds, version: string): Promise<void> {
  const lastAutoUpdateError = `${version} is a new major version. Install it with: reverie upgrade`
  await state.save({ lastAutoUpdateError })
}

async function installLatest(needs: RunNeeds, version: string): Promise<void> {
  const { host, log, restart, state } = needs
  const { success, message, restartRequired } = await runUpdate(needs, { targetVersion: version })
  if (!success) return state.save({ lastAutoUpdateError: message })
  await state.save({ lastAutoUpdateAt: host.now().toISOString(), lastAutoUpdateError: null })
  if (!restartRequired || !restart) return
  log.info({ version }, 'restart for the update')
  restart()
}
