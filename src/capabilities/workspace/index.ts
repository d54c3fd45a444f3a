import { removeTempFolders } from '../../kernel/files/remove-temp-folders.ts'
import { featuresSettings } from './config.ts'
import type { WorkspaceNeeds } from './needs.ts'
import { workspaceRoutes } from './routes.ts'

export const workspaceModule = { name: 'workspace', settings: [featuresSettings] } as const
export { readIdentityFields } from './identity.ts'
export { featuresSettings }

export function createWorkspace(needs: WorkspaceNeeds) {
  const { folder, host } = needs
  const openedAt = host.now()
  return {
    routes: workspaceRoutes(needs),
    schedules: [{ name: 'workspace.sweep', everyMs: 3_600_000, run: () => sweep(needs) }],
    // This daemon has locked the workspace, so the writer of an older folder has ended.
    start: () => removeTempFolders(folder, { before: openedAt, depth: maxDepth }),
  }
}

/** Longer than any write takes. */
const maxAgeMs = 3_600_000

/** Depth of the deepest own file, `transcripts/<harness>/transcript.jsonl`. */
const maxDepth = 2

/** Removes abandoned temporary folders, which may contain deleted content. */
function sweep({ folder, host }: Pick<WorkspaceNeeds, 'folder' | 'host'>): Promise<void> {
  const before = new Date(host.now().getTime() - maxAgeMs)
  return removeTempFolders(folder, { before, depth: maxDepth })
}
