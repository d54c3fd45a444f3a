import type { Db } from '../../kernel/db/database.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { countByStatus } from './store.ts'

/** Connectors by the state of their last sync. A failed one never makes the service unready. */
export function connectorsHealth({ background }: { readonly background: Db }): HealthCheck {
  return {
    name: 'connectors',
    check: async () => {
      const counts = await countByStatus(background)
      const [idle, syncing, error] = (['idle', 'syncing', 'error'] as const).map(
        (status) => counts.get(status) ?? 0,
      )
      const reasons = [error ? `${error} connectors failed: see reverie connectors` : undefined]
      return toHealth(reasons, { idle, syncing, error })
    },
  }
}
