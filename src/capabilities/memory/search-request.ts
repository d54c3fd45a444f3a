import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Memory } from './memory.ts'
import type { MemoryFilter } from './store/filter.ts'

/** Filters on live memories. Undefined does not filter. */
export interface MemoryFilters extends Omit<MemoryFilter, 'scope'> {
  /** The namespace. Null is the default namespace. */
  readonly scope: string | null
  readonly during?: TimeRange | undefined
}

/** Matches memories that overlap in one of the facets. The end is exclusive. */
export interface TimeRange {
  readonly start: string
  readonly end: string
  readonly facets: readonly string[]
}

export interface SearchRequest {
  readonly readScope: ReadScope
  readonly filters: MemoryFilters
  readonly limit: number
  /** ISO time of the state to search. Default: now. */
  readonly asOf?: string | undefined
  /** Excludes memories of this source type. */
  readonly exceptSourceType?: string | undefined
}

/** The fields of a memory in replies. */
export type MemoryView = Pick<
  Memory,
  | ('id' | 'content' | 'type' | 'tags' | 'pinned' | 'importance' | 'confidence' | 'createdAt')
  | ('agentId' | 'who' | 'visibility' | 'scope' | 'project' | 'sessionId')
  | ('sourceType' | 'sourceId' | 'sourcePath')
>

/** Ratings by one agent, and validity at one time. */
export interface FeedbackStats {
  /** Number of ratings by the agent, and their sum. Each is from -1 to 1. */
  readonly ratings: number
  readonly rated: number
  /** False when the validity excludes this time. */
  readonly valid: boolean
}

/** A larger `magnitude` is better. Magnitudes compare within one reply only. */
export interface MemoryHit {
  readonly memory: MemoryView
  readonly magnitude: number
  readonly accessCount: number
  readonly lastAccessed: string | null
  /** Present when requested. */
  readonly feedbackStats?: FeedbackStats
}

/** An event in a time range. `memory` is undefined for other subjects. */
export interface TemporalFact {
  readonly subjectType: string
  readonly subjectId: string
  readonly facet: string
  readonly startAt: string
  readonly endAt: string | null
  readonly confidence: number
  readonly memory: Memory | undefined
}
