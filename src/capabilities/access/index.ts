import type { AccessNeeds } from './needs.ts'
import { accessRoutes } from './routes.ts'

export function createAccess(needs: AccessNeeds) {
  return { routes: accessRoutes(needs) }
}

export const accessModule = { name: 'access' } as const
