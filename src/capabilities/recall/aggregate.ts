import type { Candidate } from './result.ts'
import type { AggregateBudget, RecallRequest } from './schemas.ts'

/** Source type of saved aggregates, which repeat the content of other memories. */
export const aggregateSource = 'aggregate-recall'

export interface Aggregate {
  readonly savedMemoryId: null
  readonly saved: false
  readonly deduped: false
  readonly budget: AggregateBudget
  readonly queries: readonly string[]
  readonly sourceMemoryIds: readonly string[]
  readonly stoppedReason: 'no_evidence' | 'router_unavailable'
  readonly partial: true
  readonly usage: typeof noUsage
}

const noUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  totalCost: 0,
  totalDurationMs: 0,
  stages: [] as readonly string[],
} as const

/** Without a model the evidence is returned as it is, and no aggregate is saved. */
export function toUnsynthesizedAggregate(
  { query, aggregateBudget }: RecallRequest,
  evidence: readonly Candidate[],
): Aggregate {
  return {
    savedMemoryId: null,
    saved: false,
    deduped: false,
    budget: aggregateBudget,
    queries: [query],
    sourceMemoryIds: evidence.flatMap(({ memory }) => (memory ? [memory.id] : [])),
    stoppedReason: evidence.length === 0 ? 'no_evidence' : 'router_unavailable',
    partial: true,
    usage: noUsage,
  }
}
