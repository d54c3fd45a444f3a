import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { GitService } from './git-operations.ts'
import type { GitSyncNeeds } from './needs.ts'

/** From figures in memory; runs no command and never affects readiness. */
export function gitHealth({ host }: Pick<GitSyncNeeds, 'host'>, service: GitService): HealthCheck {
  return {
    name: 'git',
    check: async () => {
      const {
        conflicts,
        failures,
        lastFailure,
        lastSync = null,
        backoffUntil,
        withheld,
      } = service.state
      const { autoCommit, autoSync } = service.config()
      // A request in a workspace that does not use git is no problem of the service.
      const isUnused = lastFailure?.code === 'not_a_repository' && !autoCommit && !autoSync
      const isBackingOff = backoffUntil > host.now().getTime()
      return toHealth(
        [
          isBackingOff && 'background sync waits after three failures: reverie git sync',
          lastFailure && !isUnused && `the last git operation failed: ${lastFailure.message}`,
          conflicts > 0 && `${conflicts} files have a conflict copy: reverie git conflicts`,
          withheld.length > 0 && `${withheld.length} files were not committed: ${withheld[0]}`,
        ],
        { autoCommit, autoSync, lastSync, failures, conflicts, withheld: withheld.length },
      )
    },
  }
}
