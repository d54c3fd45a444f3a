import { type HealthCheck, toHealth } from '../health/health.ts'
import type { Override } from './config.ts'

interface Settings {
  problem(): string | undefined
  waiting(): readonly string[]
  current(): { readonly overridden: readonly Override[] }
}

/** Whether the settings as they are written are those in use. */
export function settingsHealth({ problem, waiting, current }: Settings): HealthCheck {
  return {
    name: 'settings',
    check: async () => {
      const names = waiting()
      const restart = names.length > 0 && `they wait for a restart: ${names.join(', ')}`
      return toHealth([problem(), restart], {
        waitingForRestart: names,
        overridden: current().overridden,
      })
    },
  }
}
