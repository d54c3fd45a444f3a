import { homedir } from 'node:os'
import { join } from 'node:path'

/** What the shell says; an empty variable is none. */
export interface Environment {
  readonly workspace: string
  readonly url: string | undefined
  readonly port: string
  readonly token: string | undefined
  readonly agentId: string | undefined
}

export function readEnvironment(): Environment {
  const { SVC_PATH, SVC_URL, SVC_PORT, SVC_TOKEN, SVC_AGENT_ID } = process.env
  return {
    workspace: SVC_PATH || join(homedir(), '.svc'),
    url: SVC_URL || undefined,
    port: SVC_PORT || '3850',
    token: SVC_TOKEN || undefined,
    agentId: SVC_AGENT_ID || undefined,
  }
}
