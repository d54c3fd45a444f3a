export interface StatusReply {
  readonly version: string
  readonly health: {
    readonly status: string
    readonly checks: Readonly<
      Record<string, { readonly status: string; readonly reasons?: readonly string[] }>
    >
  }
  readonly memories: { readonly live: number; readonly deleted: number }
}

export interface EventsReply {
  readonly enabled: boolean
  readonly events: readonly {
    readonly id: string
    readonly event: string
    readonly timestamp: string
    readonly properties: Readonly<Record<string, unknown>>
  }[]
}

export interface SessionsReply {
  readonly count: number
  readonly sessions: readonly {
    readonly key: string
    readonly claimedAt: string
    readonly bypassed: boolean
    readonly agentId: string
    readonly harness: string | null
    readonly project: string | null
  }[]
}

export interface HarnessesReply {
  readonly harnesses: readonly {
    readonly id: string
    readonly name: string
    readonly path: string
    readonly exists: boolean
    readonly lastSeen: string | null
  }[]
}

export interface DreamStatusReply {
  readonly enabled: boolean
  readonly episodicTokensPending: number
  readonly plans: number
  readonly passes: readonly {
    readonly sources: number
    readonly mutationsApplied: number
    readonly disposition: string
    readonly status: string
  }[]
  readonly state: { readonly lastPassAt: string | null; readonly lastPassId: string | null }
  readonly budget: {
    readonly day: { readonly cost: number; readonly limits: { readonly cost: number } }
  }
}

export interface UsageReply {
  readonly totals: { readonly calls: number; readonly cost: number }
}
