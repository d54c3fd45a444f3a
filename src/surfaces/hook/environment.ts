import { homedir } from 'node:os'
import { resolve } from 'node:path'

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
