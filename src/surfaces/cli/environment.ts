import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '../../client/client.ts'
import { toWorkspace } from '../../kernel/config/workspace.ts'
import { findDaemonFile } from './daemon-file.ts'
import { CliError } from './failure.ts'
import type { Places } from './harnesses/harness.ts'

/** The variables of the shell; an empty one counts as absent. */
export interface Environment {
  readonly workspace: string
  readonly url: string | undefined
  readonly port: string
  readonly token: string | undefined
  readonly agentId: string | undefined
  /** The search path of programs. */
  readonly path: string
  /** Whether a person can answer a question. */
  readonly isTerminal: boolean
  readonly places: Places
}

export function readEnvironment(): Environment {
  const { SVC_PATH, SVC_URL, SVC_DAEMON_URL, SVC_PORT, SVC_TOKEN, SVC_AGENT_ID } = process.env
  const workspace = toWorkspace(SVC_PATH)
  return {
    workspace,
    url: SVC_URL || SVC_DAEMON_URL || undefined,
    port: SVC_PORT || '3850',
    token: SVC_TOKEN || undefined,
    agentId: SVC_AGENT_ID || undefined,
    path: process.env['PATH'] ?? '',
    isTerminal: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    places: readPlaces(workspace),
  }
}

export function isColorOff(): boolean {
  return /^(0|false)$/.test(process.env['FORCE_COLOR'] ?? '')
}

/** Variables that decide how a daemon runs. `SVC_DATABASE_URL` may contain a password. */
const serviceVariables = [
  'PATH',
  'SVC_HOST',
  'SVC_PORT',
  'SVC_AGENT_ID',
  'SVC_AUTH_MODE',
  'SVC_LOG_LEVEL',
  'SVC_LOG_DIR',
  'SVC_LOG_FILE',
  'SVC_SECRETS_KEY_FILE',
  'SVC_TELEMETRY_OPTOUT',
]

/** The variables of this shell that a service needs at login. */
export function readServiceVariables(): Readonly<Record<string, string>> {
  const entries = serviceVariables.map((name) => [name, process.env[name] ?? ''] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** A service has no variable for it, because a unit is no place for a password. */
export function hasDatabaseVariable(): boolean {
  return Boolean(process.env['SVC_DATABASE_URL'])
}

/** Makes this process, and the processes that it starts, use another workspace. */
export function selectWorkspace(path: string): Environment {
  process.env['SVC_PATH'] = toWorkspace(path)
  return readEnvironment()
}

/** Each harness has a variable that moves its files. */
function readPlaces(workspace: string): Places {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_CONFIG_HOME } = process.env
  const home = homedir()
  return {
    home,
    workspace,
    claudeHome: CLAUDE_CONFIG_DIR || join(home, '.claude'),
    claudeState: join(CLAUDE_CONFIG_DIR || home, '.claude.json'),
    codexHome: CODEX_HOME || join(home, '.codex'),
    configHome: XDG_CONFIG_HOME || join(home, '.config'),
  }
}

/** The options that every command takes. */
export interface GlobalOptions {
  readonly url?: string
  readonly token?: string
  readonly agent?: string
  readonly json?: boolean
}

/** Resolves the address; sends nothing. */
export async function connect(environment: Environment, options: GlobalOptions): Promise<Client> {
  const url = options.url ?? environment.url ?? (await readAddress(environment))
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new CliError(
      'usage',
      'bad_address',
      `${url} is not an HTTP address`,
      'Example: http://127.0.0.1:3850',
    )
  return createClient({
    url,
    token: toHeaderValue('token', options.token ?? environment.token),
    agentId: toHeaderValue('agent', options.agent ?? environment.agentId),
    surface: 'cli',
  })
}

/** Both are sent as headers. The message does not repeat them, because a token is a credential. */
function toHeaderValue(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[\t -~\u0080-\u00ff]*$/.test(value)) return value
  const message = `The ${name} has a line break or another character that HTTP cannot send`
  throw new CliError('usage', `bad_${name}`, message, `Check --${name} and its variable.`)
}

async function readAddress({ workspace, port }: Environment): Promise<string> {
  return (await findDaemonFile(workspace))?.url ?? `http://127.0.0.1:${port}`
}
