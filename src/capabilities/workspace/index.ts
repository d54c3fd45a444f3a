import { featuresSettings } from './config.ts'
import type { WorkspaceNeeds } from './needs.ts'
import { workspaceRoutes } from './routes.ts'
import { sweep } from './sweep.ts'

export const workspaceModule = { name: 'workspace', settings: [featuresSettings] } as const
export { readIdentityFields } from './identity-fields.ts'
export { featuresSettings }

export function createWorkspace(needs: WorkspaceNeeds) {
  return {
    routes: workspaceRoutes(needs),
    schedules: [{ name: 'workspace.sweep', everyMs: 3_600_000, run: () => sweep(needs) }],
  }
}
