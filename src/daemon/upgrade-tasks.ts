import type { Schedule } from '../kernel/capability/capability.ts'
import type { Database } from '../kernel/db/database.ts'
import { removeBackups } from '../kernel/db/migration-backup.ts'
import { createUpgradeTasks, type UpgradeTask } from '../kernel/jobs/upgrade-tasks.ts'
import type { Log } from '../kernel/log/log.ts'

/** Backups up to this step hold texts as they were before they were cleaned. */
const lastCleaningStep = '20261123T0130-upgrade-tasks'

interface CleaningNeeds {
  readonly database: Pick<Database, 'background' | 'file'>
  readonly log: Log
  readonly self: { readonly workspace: string }
}

/** Runs the tasks of an upgrade behind the start, and deletes the backup from before after the last one. */
export function scheduleUpgradeTasks(
  { database, log, self }: CleaningNeeds,
  tasks: readonly UpgradeTask[],
): Schedule {
  const { background: db, file } = database
  const runTasks = createUpgradeTasks({ db, folder: self.workspace }, tasks)
  let isDone = false
  const run = async (signal: AbortSignal): Promise<void> => {
    if (isDone || !(await runTasks(signal))) return
    const removed = file ? await removeBackups(file, lastCleaningStep) : []
    if (removed.length > 0) log.info({ removed }, 'backups with uncleaned text removed')
    isDone = true
  }
  return { name: 'upgrade.tasks', everyMs: 2_000, run }
}
