import type { Hook } from '../hook.ts'

export interface SessionStart {
  readonly hook: Hook
  readonly parentSessionKey?: string | undefined
  /** The harness's name of a sub-agent. A hint of lineage; it grants no access. */
  readonly harnessAgentId?: string | undefined
  /** Renews the claim without a context, after a restart of the daemon. */
  readonly claimOnly: boolean
  /** `clear`: a new conversation under the same key. `compact`: it continues with a summary. */
  readonly source?: string | undefined
}
