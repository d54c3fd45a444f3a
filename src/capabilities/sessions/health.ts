import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { lifetimeOf } from './lifetime.ts'
import type { SessionsNeeds } from './needs.ts'
import { countBypassed } from './store/bypasses.ts'
import { countLiveClaims } from './store/claims.ts'

export function sessionsHealth(needs: SessionsNeeds): HealthCheck {
  return {
    name: 'sessions',
    check: async () => {
      const { now } = lifetimeOf(needs)
      const [active, bypassed] = await Promise.all([
        countLiveClaims(needs.db, now),
        countBypassed(needs.db, now),
      ])
      return toHealth([], { lifecycle: 'enabled', active, bypassed })
    },
  }
}
