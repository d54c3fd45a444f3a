import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type EventName, isEventName } from './events.ts'

export interface Environment {
  /** True where nobody wants to hear from the daemon. */
  readonly isBypassed: boolean
  /** True inside what the daemon itself has started. */
  readonly isInternal: boolean
  readonly debug: boolean
  readonly workspace: string
  readonly url: string | undefined
  readonly port: string
  readonly token: string | undefined
  readonly agentId: string | undefined
  /** How long a prompt may wait for its answer, milliseconds. */
  readonly promptTimeoutMs: number
}

const defaultPromptTimeoutMs = 5000
const maxPromptTimeoutMs = 60_000

/** An empty variable is none. */
export function readEnvironment(): Environment {
  const { SVC_PATH, SVC_URL, SVC_DAEMON_URL, SVC_PORT, SVC_TOKEN, SVC_AGENT_ID } = process.env
  const { SVC_BYPASS, SVC_NO_HOOKS, SVC_HOOK_DEBUG, SVC_PROMPT_SUBMIT_TIMEOUT } = process.env
  return {
    isBypassed: SVC_BYPASS === '1',
    isInternal: SVC_NO_HOOKS === '1',
    debug: SVC_HOOK_DEBUG === '1',
    workspace: toWorkspace(SVC_PATH),
    url: SVC_URL || SVC_DAEMON_URL || undefined,
    port: SVC_PORT || '3850',
    token: SVC_TOKEN || undefined,
    agentId: SVC_AGENT_ID || undefined,
    promptTimeoutMs: toTimeoutMs(SVC_PROMPT_SUBMIT_TIMEOUT),
  }
}

/** As the daemon reads it. A harness hands its settings on as they are written, with no shell between. */
function toWorkspace(written = ''): string {
  return resolve((written || '~/.svc').replace(/^~(?=$|\/)/, homedir()))
}

function toTimeoutMs(written = ''): number {
  const isCount = /^\d{1,6}$/.test(written) && Number(written) > 0
  return isCount ? Math.min(Number(written), maxPromptTimeoutMs) : defaultPromptTimeoutMs
}

export interface Arguments {
  readonly event: EventName
  readonly harness: string
  readonly runtimePath: string
  readonly debug: boolean
  readonly project: string | undefined
  readonly summary: string | undefined
  readonly workspace: string | undefined
  readonly url: string | undefined
}

/** What stands after `reverie hook`. Throws `NoAnswer` for what cannot be understood. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv)
  const [event = ''] = positionals
  if (!isEventName(event)) throw new HookSkipped('usage', `unknown event ${event}`)
  return {
    event,
    harness: values.harness ?? 'generic',
    runtimePath: values['runtime-path'] ?? 'legacy',
    debug: values.debug ?? false,
    project: values.project,
    summary: values.summary,
    workspace: values.workspace,
    url: values.url,
  }
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const options = {
    harness: { type: 'string', short: 'H' },
    'runtime-path': text,
    project: text,
    summary: text,
    workspace: text,
    url: text,
    debug: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: false }) as {
      readonly values: {
        readonly harness?: string
        readonly project?: string
        readonly summary?: string
        readonly workspace?: string
        readonly url?: string
        readonly debug?: boolean
        readonly 'runtime-path'?: string
      }
      readonly positionals: readonly string[]
    }
  } catch (error) {
    throw new HookSkipped('usage', String(error))
  }
}

type Reason = 'bypassed' | 'usage' | 'no_input' | 'offline' | 'slow' | 'refused' | 'garbage'

/** There is nothing to tell the harness, and this is why. */
export class HookSkipped extends Error {
  override readonly name = 'NoAnswer'
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}
