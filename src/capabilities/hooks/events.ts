import type { Caller } from '../../kernel/auth/caller.ts'

/** Neither holds a session key: what it is told by is a hash. */
interface SessionEvent {
  readonly agentId: string
  readonly harness: string
  /** Null where the harness has no key. */
  readonly session: string | null
}

export interface HooksEvents {
  'session.started': SessionEvent
  /** Once for each session; what a harness fires at each turn is another event. */
  'session.ended': SessionEvent & { readonly reason: string | null }
  'session.turned': SessionEvent & { readonly reason: string; readonly prompts: number }
  'prompt.submitted': SessionEvent & { readonly engine: string; readonly latencyMs: number }
  /** With all words: for who keeps them because a person wants it. Not for a prompt that asks nothing. */
  'prompt.answered': {
    readonly caller: Caller
    readonly sessionKey: string | undefined
    readonly project: string | null
    readonly text: string
    readonly terms: readonly string[]
    readonly engine: string
    readonly told: readonly {
      readonly id: string
      readonly text: string
      readonly score: number
      readonly source: string
    }[]
    readonly latencyMs: number
  }
  'skill.invoked': {
    readonly agentId: string
    readonly harness: string
    readonly sessionKey: string | null
    readonly skillName: string
    readonly toolUseId: string | null
    readonly latencyMs: number | null
    readonly success: boolean
    readonly errorText: string | null
    readonly createdAt: string
  }
}
