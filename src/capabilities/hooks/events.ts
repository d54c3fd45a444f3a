/** Neither holds a session key: what it is told by is a hash. */
interface SessionEvent {
  readonly agentId: string
  readonly harness: string
  readonly session: string
}

export interface HooksEvents {
  'session.started': SessionEvent
  /** Once for each session; what a harness fires at each turn is another event. */
  'session.ended': SessionEvent & { readonly reason: string | null }
  'session.turned': SessionEvent & { readonly reason: string }
  'prompt.submitted': SessionEvent & { readonly engine: string; readonly latencyMs: number }
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
