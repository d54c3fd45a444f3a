import type { HarnessesNeeds } from './needs.ts'
import { harnessesRoutes } from './routes.ts'

export function createHarnesses(needs: HarnessesNeeds) {
  return { routes: harnessesRoutes(needs) }
}

export const harnessesModule = { name: 'harnesses' } as const
