import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { ChildLedger } from '../../kernel/process/child-ledger.ts'
import type { Models } from '../inference/index.ts'
import type { TasksConfig } from './config.ts'
import type { LiveRuns } from './live-runs.ts'
import type { HarnessCommand } from './runners/harness-commands.ts'
import type { Harness, Run, Task } from './task.ts'

export interface TasksOptions {
  readonly db: Db
  readonly host: Host
  readonly log: Log
  readonly events: Pick<Events, 'emit'>
  readonly children: Pick<ChildLedger, 'add'>
  readonly models: Pick<Models, 'run' | 'isReady'>
  /** Read for each run. */
  readonly config: () => TasksConfig
  /** Whether this daemon alone uses the database. */
  readonly exclusive: boolean
  readonly home: string
  /** The variables of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  readonly daemonUrl: () => string
  /** Default: the commands of the known harnesses. */
  readonly commands?: Readonly<Partial<Record<Harness, HarnessCommand>>>
}

/** The needs with the members of the extension point. */
export interface RunNeeds extends TasksOptions {
  readonly skills: SkillsPort
  readonly live: LiveRuns
  /** Identifies this run of the daemon. */
  readonly daemonId: string
}

export interface TasksNeeds extends RunNeeds {
  /** The runs of other daemons, for the followers of a task. */
  readonly foreign: { watch(taskId: string, signal: AbortSignal): void }
  readonly scheduler: {
    runNow(task: Task): Promise<Run>
    cancel(taskId: string): Promise<boolean>
  }
}

/** The skills that a task adds to its prompt. The first member that knows the skill answers. */
export interface SkillsPort {
  /** The text of `SKILL.md` without its frontmatter; undefined for an unknown skill. */
  readBody(name: string): Promise<string | undefined>
}
