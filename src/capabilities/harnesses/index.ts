import { createHeartbeats, pluginDomain } from './heartbeat.ts'
import type { HarnessesNeeds } from './needs.ts'
import { harnessesRoutes } from './routes.ts'

export function createHarnesses(needs: HarnessesNeeds) {
  const heartbeats = createHeartbeats(needs)
  return {
    routes: harnessesRoutes({ ...needs, heartbeats }),
    diagnostics: [pluginDomain(heartbeats)],
  }
}

export const harnessesModule = { name: 'harnesses' } as const
