import type { WorkspaceNeeds } from './needs.ts'
import { workspaceRoutes } from './routes.ts'
import { sweep } from './sweep.ts'

export { featuresConfig } from './config.ts'
export { readIdentityFields } from './identity-fields.ts'

export function createWorkspace(needs: WorkspaceNeeds) {
  return { routes: workspaceRoutes(needs), sweep: () => sweep(needs) }
}
