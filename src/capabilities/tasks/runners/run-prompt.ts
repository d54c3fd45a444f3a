import { Refusal } from '../../../kernel/errors/refusal.ts'
import { isFolder } from '../../../kernel/files/optional-files.ts'
import { harnessEnvironment } from '../../../kernel/process/environment.ts'
import { findProgram } from '../../../kernel/process/find-program.ts'
import { runProcess } from '../../../kernel/process/run-process.ts'
import type { RunNeeds } from '../needs.ts'
import type { OutputStream, Task } from '../task.ts'
import { type HarnessCommand, harnessCommands } from './harness-commands.ts'

const runTimeoutMs = 600_000
const maxReplyTokens = 8_192
/** The run retains fewer characters; this bounds the read output. */
const maxOutputBytes = 4_194_304

export interface PromptResult {
  readonly exitCode: number | null
  readonly error: string | null
}

interface PromptRun {
  readonly signal: AbortSignal
  onOutput(stream: OutputStream, text: string): void
}

/** Runs the prompt of a task. Errors of the runner are results; only faults are thrown. */
export async function runPrompt(
  needs: RunNeeds,
  task: Task,
  run: PromptRun,
): Promise<PromptResult> {
  const prompt = await toPrompt(needs, task, run)
  if (task.harness === 'inference') return runModel(needs, { task, prompt }, run)
  return runHarness(needs, { task, prompt }, run)
}

/** Why the harness of the task cannot run now; undefined if it can. */
export async function findProblem(
  needs: RunNeeds,
  { agentId, harness }: Pick<Task, 'agentId' | 'harness'>,
): Promise<string | undefined> {
  if (harness === 'inference')
    return needs.models.isReady('interactive', agentId) ? undefined : 'no model is ready'
  const command = findCommand(needs, harness)
  const program = command && (await findProgram(command.program, needs.variables()))
  return program === undefined ? `${command?.program ?? harness} is not installed` : undefined
}

function findCommand(
  { commands = harnessCommands }: Pick<RunNeeds, 'commands'>,
  harness: Task['harness'],
): HarnessCommand | undefined {
  return commands[harness]
}

/** The prompt with its skill. A prompt that begins with `-` would be read as an option. */
async function toPrompt(needs: RunNeeds, task: Task, run: PromptRun): Promise<string> {
  const { prompt, skillMode, skillName } = task
  if (skillName === null) return toArgument(prompt)
  if (skillMode === 'slash') return `/${skillName} ${prompt}`
  const body = await needs.skills.readBody(skillName)
  if (body !== undefined) return toArgument(`${body}\n\n---\n\n${prompt}`)
  needs.log.warn({ taskId: task.id, skill: skillName }, 'skill of a task not found')
  run.onOutput('stderr', `[svc task: the skill ${skillName} does not exist]\n`)
  return toArgument(prompt)
}

function toArgument(prompt: string): string {
  return prompt.startsWith('-') ? ` ${prompt}` : prompt
}

interface PromptOfTask {
  readonly task: Task
  readonly prompt: string
}

async function runHarness(
  needs: RunNeeds,
  { task, prompt }: PromptOfTask,
  { signal, onOutput }: PromptRun,
): Promise<PromptResult> {
  const variables = needs.variables()
  const harness = findCommand(needs, task.harness)
  const command = harness && (await findProgram(harness.program, variables))
  if (command === undefined) return toError(`${harness?.program ?? task.harness} is not installed`)
  const cwd = toFolder(needs, task.workingDirectory)
  if (cwd !== undefined && !(await isFolder(cwd)))
    return toError(`The working directory does not exist: ${task.workingDirectory}`)
  const { skipPermissions } = needs.config()
  const { agentId, model } = task
  const result = await runProcess(needs, {
    purpose: 'scheduled task',
    command,
    args: harness?.toArguments({ prompt, model, skipPermissions }) ?? [],
    ...(cwd !== undefined && { cwd }),
    env: harnessEnvironment(variables, { agentId, daemonUrl: needs.daemonUrl() }),
    timeoutMs: runTimeoutMs,
    maxOutputBytes,
    onOutput: ({ stream, text }) => onOutput(stream, text),
    signal,
  })
  if (result.timedOut) return toError(`Process timed out after ${runTimeoutMs}ms`, result.code)
  return { exitCode: result.code, error: null }
}

async function runModel(
  { models }: RunNeeds,
  { task, prompt }: PromptOfTask,
  { signal, onOutput }: PromptRun,
): Promise<PromptResult> {
  try {
    const { text } = await models.run({
      operation: 'interactive',
      agentId: task.agentId,
      messages: [{ role: 'user', content: prompt }],
      maxTokens: maxReplyTokens,
      timeoutMs: runTimeoutMs,
      signal,
    })
    onOutput('stdout', text)
    return { exitCode: 0, error: null }
  } catch (error) {
    if (error instanceof Refusal) return toError(error.message)
    if (signal.aborted) return toError('The run was ended.')
    throw error
  }
}

function toError(error: string, exitCode: number | null = null): PromptResult {
  return { exitCode, error }
}

function toFolder({ home }: Pick<RunNeeds, 'home'>, folder: string | null): string | undefined {
  return folder?.replace(/^~(?=\/|$)/, home)
}
