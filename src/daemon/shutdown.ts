import type { Schedule } from '../kernel/capability/capability.ts'
import type { Database } from '../kernel/db/database.ts'
import { removeBackups } from '../kernel/db/migrations.ts'
import { createUpgradeTasks, type UpgradeTask } from '../kernel/jobs/upgrade-tasks.ts'
import type { Log } from '../kernel/log/log.ts'

type Close = () => unknown

export interface Shutdown {
  /**
   * Parts close in reverse order. A part added during shutdown is closed too, and `add` throws,
   * so that start-up ends.
   */
  add(name: string, close: Close): void
  started(): boolean
  /** Closes every part once. A part that fails to close does not stop the others. */
  close(): Promise<void>
}

export function createShutdown(log: Log): Shutdown {
  const parts: (readonly [name: string, close: Close])[] = []
  const closeAll = async (): Promise<void> => {
    for (let part = parts.pop(); part; part = parts.pop()) {
      const [name, close] = part
      try {
        await close()
      } catch (error) {
        log.error({ err: error, part: name }, 'close failed')
      }
    }
  }
  const closing: { once?: Promise<void> } = {}
  const started = () => closing.once !== undefined
  return {
    add: (name, close) => {
      parts.push([name, close])
      if (started()) throw new Error('The service is stopping.')
    },
    started,
    close: () => {
      closing.once ??= closeAll()
      return closing.once
    },
  }
}

/** Backups up to this migration contain texts before cleaning. */
const lastCleaningStep = '20261123T0130-upgrade-tasks'

interface CleaningNeeds {
  readonly database: Pick<Database, 'background' | 'file'>
  readonly log: Log
  readonly self: { readonly workspace: string }
}

/**
 * Runs the upgrade tasks after the start. Deletes the backup of the uncleaned texts after the last
 * task.
 */
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
