import { type HealthCheck, toHealth } from '../health/health.ts'
import type { Override } from './config.ts'
import type { UnknownSetting } from './settings.ts'

interface Settings {
  problem(): string | undefined
  waiting(): readonly string[]
  unknownSettings(): readonly UnknownSetting[]
  current(): { readonly overridden: readonly Override[] }
}

/** Reports whether the settings file is in use as it is. */
export function settingsHealth(config: Settings): HealthCheck {
  return {
    name: 'settings',
    check: async () => {
      const names = config.waiting()
      const restart = names.length > 0 && `they wait for a restart: ${names.join(', ')}`
      return toHealth([config.problem(), restart], {
        waitingForRestart: names,
        overridden: config.current().overridden,
        unknownSettings: config.unknownSettings(),
      })
    },
  }
}
