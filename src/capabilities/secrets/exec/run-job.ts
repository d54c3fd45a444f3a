import { Refusal } from '../../../kernel/errors/refusal.ts'
import { commandEnvironment } from '../../../kernel/process/environment.ts'
import { findProgram } from '../../../kernel/process/find-program.ts'
import { runProcess } from '../../../kernel/process/run-process.ts'
import type { ExecNeeds, ExecRequest, ExecResult } from './exec-job.ts'
import { splitCommand } from './split-command.ts'

const failedCode = 1

interface RunOptions {
  readonly signal: AbortSignal
  /** Called before anything is spawned. */
  readonly onResolved: () => void
}

/** Runs the command with the resolved values. Throws before anything is spawned if one is missing. */
export async function runJob(
  needs: ExecNeeds,
  request: ExecRequest,
  { signal, onResolved }: RunOptions,
): Promise<ExecResult> {
  const values = await resolveAll(needs, request.secrets)
  onResolved()
  const split = splitCommand(request.command)
  if ('problem' in split) return toFailure(split.problem)
  const environment = commandEnvironment(needs.variables(), needs.pass())
  const [program = '', ...args] = split.words
  const command = await findProgram(program, environment)
  if (command === undefined)
    throw new Refusal(
      'invalid',
      'program_not_found',
      'The program of the command is not installed.',
    )
  const { stdoutBytes, stderrBytes, ...result } = await runProcess(needs, {
    purpose: 'secret exec',
    command,
    args,
    cwd: needs.folder,
    env: { ...environment, ...values },
    secrets: Object.values(values),
    timeoutMs: request.timeoutMs,
    signal,
  })
  const { code, timedOut, stdoutTruncated, stderrTruncated } = result
  const timeoutNote = timedOut ? `[svc secret exec: timed out after ${request.timeoutMs} ms]` : ''
  return {
    stdout: addLines(result.stdout, [stdoutTruncated ? truncatedNote('stdout') : '']),
    stderr: addLines(result.stderr, [stderrTruncated ? truncatedNote('stderr') : '', timeoutNote]),
    code,
    timedOut,
    stdoutTruncated,
    stderrTruncated,
    stdoutBytes,
    stderrBytes,
  }
}

async function resolveAll(
  { resolve }: Pick<ExecNeeds, 'resolve'>,
  secrets: ExecRequest['secrets'],
): Promise<Readonly<Record<string, string>>> {
  const values: [string, string][] = []
  for (const [variable, reference] of Object.entries(secrets)) {
    const value = await resolve(reference)
    if (value === undefined) throw unresolved(variable)
    values.push([variable, value])
  }
  return Object.fromEntries(values)
}

function unresolved(variable: string): Refusal {
  const message = `The secret for ${variable} does not exist. List the names with reverie secret list.`
  return new Refusal('not_found', 'secret_not_found', message)
}

function toFailure(problem: string): ExecResult {
  const streams = { stdout: '', stderr: `${problem}\n`, stdoutBytes: 0, stderrBytes: 0 }
  const flags = { timedOut: false, stdoutTruncated: false, stderrTruncated: false }
  return { ...streams, ...flags, code: failedCode }
}

function truncatedNote(stream: 'stdout' | 'stderr'): string {
  return `[svc secret exec: ${stream} truncated]`
}

function addLines(text: string, lines: readonly string[]): string {
  const added = lines.filter((line) => line !== '')
  if (added.length === 0) return text
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${separator}${added.join('\n')}\n`
}
