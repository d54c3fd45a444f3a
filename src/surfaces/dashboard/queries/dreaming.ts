import type { Evidence } from './knowledge.ts'

export interface Pass {
  readonly id: string
  readonly mode: string
  readonly engine: string
  readonly status: string
  readonly disposition: string
  readonly startedAt: string
  readonly completedAt: string | null
  readonly tokensConsumed: number
  readonly cost: number
  readonly sources: number
  readonly mutationsApplied: number
  readonly summary: string | null
  readonly error: string | null
  readonly stoppedBy: string | null
}

export interface PassList {
  readonly items: readonly Pass[]
}

export interface Operation {
  readonly position: number
  readonly operation: string
  readonly subject: string
  readonly slot: string | null
  readonly before: string | null
  readonly after: string | null
  readonly evidence: readonly Evidence[]
  readonly confidence: number
  readonly reason: string | null
  readonly state: string
  readonly error: string | null
}

export interface PassDetail {
  readonly pass: Pass
  readonly operations: readonly Operation[]
}

export interface Trace {
  readonly items: readonly {
    readonly id: string
    readonly toolName: string
    readonly success: boolean
    readonly input: unknown
    readonly output: unknown
  }[]
}

export interface DreamStatus {
  readonly enabled: boolean
  readonly blockedBy: string | null
  readonly worker: { readonly active: boolean }
  readonly episodicTokensPending: number
  readonly backlog: { readonly sources: number }
  readonly engine: { readonly effective: string }
  readonly budget: {
    readonly day: {
      readonly tokens: number
      readonly cost: number
      readonly limits: { readonly tokens: number; readonly cost: number }
    }
  }
  readonly schedule: { readonly because: string | null; readonly nextCheckAt: string | null }
  readonly exclusions: readonly {
    readonly sourceKind: string
    readonly sourceId: string
    readonly reason?: string
  }[]
  readonly attention: readonly {
    readonly id: string
    readonly kind: string
    readonly details: Readonly<Record<string, unknown>>
  }[]
}

export interface Quality {
  readonly claims: { readonly active: number; readonly cited: number }
  readonly undoneShare: { readonly removed: number; readonly applied: number }
  readonly graphGarbageRate: { readonly totalEntities: number; readonly garbageEntities: number }
}
