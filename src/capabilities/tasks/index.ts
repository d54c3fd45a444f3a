import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import { tasksSettings } from './config.ts'
import { createForeignRuns } from './foreign-runs.ts'
import { tasksHealth } from './health.ts'
import { createLiveRuns } from './live-runs.ts'
import { tasksMigrations } from './migrations.ts'
import type { SkillsPort, TasksOptions } from './needs.ts'
import { taskNotices } from './notices.ts'
import { tasksRoutes } from './routes.ts'
import { createScheduler } from './scheduler.ts'
import { deleteRunsBefore } from './store/runs.ts'
import { deleteTasks, disableTasks } from './store/tasks.ts'

export { tasksSettings } from './config.ts'

export const tasksModule = {
  name: 'tasks',
  settings: [tasksSettings],
  migrations: tasksMigrations,
} as const

const retentionMs = 90 * 86_400_000

export function createTasks(options: TasksOptions) {
  const { db, host, log } = options
  const skills = createExtensionPoint<SkillsPort>('tasks.skills')
  const live = createLiveRuns(options)
  const run = { ...options, live, daemonId: host.newId(), skills: firstOf(skills, log) }
  const scheduler = createScheduler(run)
  const before = (ms: number) => new Date(host.now().getTime() - ms).toISOString()
  return {
    routes: tasksRoutes({ ...run, scheduler, foreign: createForeignRuns(run) }),
    notices: taskNotices(options),
    /** Skills that a task may name. */
    skills,
    extensionPoints: [skills],
    schedules: [
      {
        name: 'tasks.sweep',
        everyMs: 6 * 3_600_000,
        run: () => deleteRunsBefore(db, before(retentionMs)),
      },
    ],
    ...tasksHealth({ ...options, counts: scheduler.counts }),
    agentRemoval: { archive: disableTasks, purge: deleteTasks },
    start: scheduler.start,
    stop: scheduler.stop,
  }
}

/** The first member that knows the skill answers. One that throws is logged and left out. */
function firstOf(point: { list(): readonly SkillsPort[] }, log: TasksOptions['log']): SkillsPort {
  return {
    readBody: async (name) => {
      for (const { readBody } of point.list())
        try {
          const body = await readBody(name)
          if (body !== undefined) return body
        } catch (err) {
          log.warn({ err, extensionPoint: 'tasks.skills' }, 'extension failed')
        }
      return undefined
    },
  }
}
