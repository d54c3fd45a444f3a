import type { Db } from '../../../kernel/db/database.ts'
import type { OutputStream, Run, Task } from '../task.ts'

interface OutputRow {
  readonly runId: string
  readonly stream: OutputStream
  readonly text: string
  readonly truncated: 0 | 1
}

type Tables = {
  scheduledTasks: Task
  taskRuns: Run
  taskRunOutputs: OutputRow
}

export const tables = (db: Db) => db.withTables<Tables>()

export const liveStatuses = ['pending', 'running'] as const
