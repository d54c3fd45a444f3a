import type { ExplorerNeeds } from './needs.ts'
import { explorerRoutes } from './routes.ts'

export const explorerModule = { name: 'explorer' } as const

export function createExplorer(needs: ExplorerNeeds) {
  return { routes: explorerRoutes(needs) }
}
