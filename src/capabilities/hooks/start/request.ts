import type { Hook } from '../hook.ts'

export interface SessionStart {
  readonly hook: Hook
  readonly parentSessionKey?: string | undefined
  /** What the harness calls the sub-agent that begins: a hint of lineage, and never whose data it is. */
  readonly harnessAgentId?: string | undefined
  /** Only says that the session goes on, after the daemon was away. */
  readonly claimOnly: boolean
  /** `clear`: the conversation begins anew under the same key. `compact`: it goes on with a summary. */
  readonly source?: string | undefined
}
