import type { Caller } from '../../kernel/auth/caller.ts'
import type { TasksOptions } from './needs.ts'
import { listEndedRuns } from './store/runs.ts'

/** Older runs are no news. */
const maxAgeMs = 24 * 3_600_000
const maxRuns = 5

/** The ended runs of the tasks of an agent, for its hooks. A token with a project receives none. */
export function taskNotices({ db, host }: Pick<TasksOptions, 'db' | 'host'>) {
  return {
    list: async ({ caller }: { readonly caller: Caller }) => {
      if (caller.scope.project !== undefined) return []
      const after = new Date(host.now().getTime() - maxAgeMs).toISOString()
      const runs = await listEndedRuns(db, { after, agentId: caller.agentId, limit: maxRuns })
      return runs.map(({ id, name, status, error, completedAt }) => ({
        id: `task_run:${id}`,
        kind: 'task_run' as const,
        scope: 'agent' as const,
        text: `The task "${name}" ${status}${error === null ? '' : `: ${error}`}.`,
        createdAt: completedAt,
      }))
    },
  }
}
