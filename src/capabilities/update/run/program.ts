import { stripVTControlCharacters } from 'node:util'
import { commandEnvironment } from '../../../kernel/process/environment.ts'
import { runProcess } from '../../../kernel/process/run-process.ts'
import type { UpdateNeeds } from '../needs.ts'

export type ProgramNeeds = Pick<UpdateNeeds, 'children' | 'host' | 'pass' | 'variables'>

interface ProgramRequest {
  readonly purpose: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly timeoutMs: number
  readonly env?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const maxOutputLength = 6_000

/** Runs a program without the variables of the daemon; its output is redacted and cut. */
export async function runProgram(needs: ProgramNeeds, { env, ...request }: ProgramRequest) {
  const variables = { ...commandEnvironment(needs.variables(), needs.pass()), CI: '1', ...env }
  const { code, stdout, stderr, timedOut } = await runProcess(needs, { ...request, env: variables })
  const text = stripVTControlCharacters(`${stdout}${stderr}`)
  const output = text.trim().slice(-maxOutputLength).toWellFormed()
  return { succeeded: code === 0, output, stdout: stdout.trim(), timedOut }
}

const versionTimeoutMs = 30_000

interface VersionRequest {
  readonly program: string
  readonly cwd: string
  /** A program that needs no Node. */
  readonly isNative?: boolean
  readonly signal: AbortSignal
}

/** What a launcher prints as its version; its error output where it fails. */
export async function readVersion(
  needs: ProgramNeeds,
  { program, cwd, isNative = false, signal }: VersionRequest,
): Promise<string> {
  const { output, stdout, succeeded } = await runProgram(needs, {
    purpose: 'update version',
    command: isNative ? program : process.execPath,
    args: isNative ? ['--version'] : [program, '--version'],
    cwd,
    timeoutMs: versionTimeoutMs,
    signal,
  })
  return succeeded ? stdout : output
}
