import { homedir } from 'node:os'
import { resolve } from 'node:path'

export interface Environment {
  /** Disables all hooks. */
  readonly isBypassed: boolean
  /** True in processes that the daemon started. */
  readonly isInternal: boolean
  readonly debug: boolean
  readonly workspace: string
  readonly url: string | undefined
  readonly port: string
  readonly token: string | undefined
  readonly agentId: string | undefined
  /** Maximum time that a prompt waits for its reply, milliseconds. */
  readonly promptTimeoutMs: number
}

const defaultPromptTimeoutMs = 5000
const maxPromptTimeoutMs = 60_000

/** An empty variable counts as unset. */
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

/** Like the daemon. A harness passes its settings without a shell, so `~` is expanded here. */
function toWorkspace(value = ''): string {
  return resolve((value || '~/.svc').replace(/^~(?=$|\/)/, homedir()))
}

function toTimeoutMs(value = ''): number {
  const isCount = /^\d{1,6}$/.test(value) && Number(value) > 0
  return isCount ? Math.min(Number(value), maxPromptTimeoutMs) : defaultPromptTimeoutMs
}

type Reason = 'bypassed' | 'usage' | 'no_input' | 'offline' | 'slow' | 'refused' | 'garbage'

/** The hook prints nothing, for this reason. */
export class HookSkipped extends Error {
  override readonly name = 'HookSkipped'
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}
