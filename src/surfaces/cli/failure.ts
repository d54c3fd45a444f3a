import { isUnanswered, ReverieError } from '../../client/public/reverie-error.ts'
import { explainError } from '../../kernel/errors/system-error.ts'

/** Documented in docs/cli.md; scripts branch on them. */
export const exitCodes = {
  ok: 0,
  fault: 1,
  usage: 2,
  refused: 3,
  not_found: 4,
  unreachable: 5,
  conflict: 6,
  busy: 7,
} as const

export type Exit = keyof typeof exitCodes

/** An error that the command line finds, not the service. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: Exit
  readonly code: string
  readonly hint: string | undefined

  constructor(exit: Exit, code: string, message: string, hint?: string) {
    super(message)
    this.exit = exit
    this.code = code
    this.hint = hint
  }
}

/** Ends with the exit code of another program. */
export class ProgramExit extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`The program exited with ${exitCode}.`)
    this.exitCode = exitCode
  }
}

export interface Failure {
  readonly exit: Exit
  readonly error: string
  readonly code: string
  readonly hint?: string | undefined
}

export function toFailure(error: unknown): Failure {
  if (error instanceof CliError)
    return { exit: error.exit, error: error.message, code: error.code, hint: error.hint }
  if (error instanceof ReverieError)
    return {
      exit: isUnanswered(error) ? 'unreachable' : exitOfStatus(error.status ?? 500),
      error: error.message,
      code: error.code,
      hint:
        hints[error.code] ??
        blockHints[String(error.details['blockedBy'])] ??
        hints[`http_${error.status}`],
    }
  return { exit: 'fault', error: explainError(error), code: 'fault' }
}

function exitOfStatus(status: number): Exit {
  if (status === 404) return 'not_found'
  if (status === 409 || status === 410) return 'conflict'
  if (status === 429 || status === 503) return 'busy'
  return status >= 500 ? 'fault' : 'refused'
}

/** What holds background work, as replies name it in `blockedBy`. */
const blockHints: Readonly<Record<string, string>> = {
  disabled: 'Switch it on with: reverie dream enable. Without it, reverie dream --preview works.',
  frozen: 'Allow changes with: reverie config set memory.pipelineV2.mutationsFrozen false',
  paused: 'Resume background work with: reverie pipeline resume',
}

const seeLogs = 'Find the cause with: reverie logs --level error'
const hints: Readonly<Record<string, string>> = {
  unreachable: 'Start it with: reverie start',
  too_slow: 'Check the daemon with: reverie doctor',
  not_reverie: 'Set the address with --url or SVC_URL.',
  http_401: 'Pass a token with --token or SVC_TOKEN; create one with: reverie token create',
  pinned_requires_force: 'Pass --force to delete a pinned memory.',
  version_conflict: 'The memory has changed; read it again with: reverie show',
  episodic_content_immutable: 'Replace it with: reverie replace ID TEXT',
  already_deleted: 'Restore it with: reverie recover',
  internal: seeLogs,
  http_500: seeLogs,
}
