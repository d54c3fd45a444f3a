export const harnesses = ['claude-code', 'codex', 'opencode', 'kimi', 'inference'] as const
export type Harness = (typeof harnesses)[number]

export const skillModes = ['inject', 'slash'] as const
type SkillMode = (typeof skillModes)[number]

/** A prompt that runs by a schedule. Times are ISO. */
export interface Task {
  readonly id: string
  readonly agentId: string
  readonly name: string
  readonly prompt: string
  readonly cronExpression: string
  readonly harness: Harness
  readonly model: string | null
  readonly workingDirectory: string | null
  readonly skillName: string | null
  readonly skillMode: SkillMode | null
  readonly enabled: 0 | 1
  /** Null while the task is disabled. */
  readonly nextRunAt: string | null
  readonly lastRunAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A task with the result of its newest run. */
export interface ListedTask extends Task {
  readonly lastRunStatus: RunStatus | null
  readonly lastRunExitCode: number | null
}

export const runStatuses = ['pending', 'running', 'completed', 'failed'] as const
type RunStatus = (typeof runStatuses)[number]

/** `catch-up`: the time of the run had passed while no daemon ran. */
export const triggers = ['schedule', 'catch-up', 'manual'] as const

export interface Run {
  readonly id: string
  readonly taskId: string
  readonly status: RunStatus
  readonly trigger: (typeof triggers)[number]
  /** The time of the schedule; null for a run by hand. */
  readonly scheduledFor: string | null
  readonly startedAt: string
  readonly completedAt: string | null
  readonly exitCode: number | null
  readonly error: string | null
  readonly daemonId: string
  readonly leaseUntil: string | null
}

export type OutputStream = 'stdout' | 'stderr'

export interface StoredOutput {
  readonly text: string
  readonly truncated: boolean
}

/** A run with its output. Null without output. */
export interface RunWithOutput extends Run {
  readonly stdout: StoredOutput | null
  readonly stderr: StoredOutput | null
}

export const presets = [
  { label: 'Every 15 min', expression: '*/15 * * * *' },
  { label: 'Hourly', expression: '0 * * * *' },
  { label: 'Daily 9am', expression: '0 9 * * *' },
  { label: 'Weekly Mon 9am', expression: '0 9 * * 1' },
] as const
