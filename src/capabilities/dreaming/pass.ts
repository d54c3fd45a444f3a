import type { SourceKind } from './evidence/evidence.ts'
import type { Fact } from './rules/statement.ts'

const modes = ['incremental', 'incremental-hygiene', 'incremental-content', 'compact'] as const
export type Mode = (typeof modes)[number]
export type Engine = 'auto' | 'rules' | 'model'

/** A run over the evidence: what it read, staged and wrote. */
export interface Pass {
  readonly id: string
  readonly agentId: string
  readonly mode: Mode
  readonly engine: Engine
  readonly trigger: 'schedule' | 'manual'
  readonly dryRun: boolean
  readonly status: 'running' | 'completed' | 'failed'
  readonly disposition: Disposition
  /** The daemon that runs it; empty until a daemon begins. */
  readonly owner: string
  readonly leaseUntil: string
  readonly startedAt: string
  readonly completedAt: string | null
  readonly appliedCount: number
  readonly skippedCount: number
  readonly failedCount: number
  readonly sourceCount: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  /** Millionths of a US dollar. */
  readonly costMicros: number
  readonly costKnown: boolean
  readonly stoppedBy: string | null
  readonly modelStatus: string | null
  readonly modelError: string | null
  readonly summary: string | null
  readonly error: string | null
  readonly runbook: Runbook | null
  readonly window: EvidenceWindow
  readonly skipped: Readonly<Record<string, number>>
  readonly nearDuplicates: readonly NearDuplicate[]
}

export type Disposition =
  | 'none'
  | 'planned'
  | 'applied'
  | 'partly_applied'
  | 'discarded'
  | 'undone'
  | 'partly_undone'

export interface Runbook {
  readonly summary: string
  readonly openQuestions: readonly string[]
  readonly deferred: readonly string[]
}

/** Lengths, never words. */
interface EvidenceWindow {
  readonly cursor: string
  readonly sources: readonly {
    readonly sourceKind: SourceKind
    readonly sourceId: string
    readonly chars: number
  }[]
}

interface NearDuplicate {
  readonly one: string
  readonly other: string
  readonly similarity: number
}

/** One change that a pass wants to make. */
export interface StagedOperation {
  readonly passId: string
  readonly position: number
  readonly agentId: string
  readonly origin: 'rules' | 'model'
  readonly rule: string | null
  /** Of the catalogue of the graph. */
  readonly operation: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly evidence: readonly CitedQuote[]
  /** The name of the entity, or the reference of the row. */
  readonly subject: string
  /** The values that it replaces or ends. */
  readonly beforeIds: readonly string[]
  readonly reason: string
  readonly confidence: number | null
  /** `review_required`: it becomes a pending proposal. */
  readonly risk: string | null
  /** The attention item that it answers: `attention:<id>`. */
  readonly provenance: string | null
  readonly state: OperationState
  readonly error: string | null
  readonly proposalId: string | null
  readonly batchId: string | null
  readonly attributeId: string | null
  readonly fingerprint: string | null
  /** What the ledger remembers once it is applied. */
  readonly facts: readonly Fact[]
}

export type OperationState =
  | 'planned'
  | 'applied'
  | 'no_change'
  | 'proposed'
  | 'failed'
  | 'refused'
  | 'rejected'
  | 'undone'

export interface CitedQuote {
  readonly sourceKind: SourceKind
  readonly sourceId: string
  readonly quote: string
}

export const leaseMs = 60_000
export const leaseRenewalMs = 20_000
/** A plan can be applied for this time. */
export const planLifetimeMs = 7 * 86_400_000
export const maxListedPasses = 100
/** Operations of one batch of the graph. */
export const batchLength = 100

/** Entities and aspects that a pass may remove or fold. */
export function maxRemovals(activeEntities: number): number {
  return Math.min(10, Math.max(3, Math.floor(activeEntities * 0.05)))
}

/** Entities that the model of a pass may create. */
export const maxNewEntities = 20

/** Stages what the model of a pass writes. */
export interface PassWriter {
  readonly passId: string
  writeRunbook(runbook: Runbook): Promise<void>
  /** Stages operations and returns the checker's result of each. */
  stage?(operations: unknown): Promise<object>
}
