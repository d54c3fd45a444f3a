import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Memory } from './memory.ts'
import type { MemoryFilter } from './store/filter.ts'

/** Which live memories may answer. What is undefined restricts nothing. */
export interface MemoryFilters extends Omit<MemoryFilter, 'scope'> {
  /** The namespace; null is the common one. */
  readonly scope: string | null
  readonly during?: TimeRange | undefined
}

/** What overlaps it in one of these facets; the end is exclusive. */
export interface TimeRange {
  readonly start: string
  readonly end: string
  readonly facets: readonly string[]
}

export interface SearchRequest {
  readonly readScope: ReadScope
  readonly filters: MemoryFilters
  readonly limit: number
  /** What was current then, ISO; without it what is current now. */
  readonly asOf?: string | undefined
  /** What has this source type does not answer. */
  readonly exceptSourceType?: string | undefined
}

/** As much of a memory as answers tell. */
export type MemoryView = Pick<
  Memory,
  | ('id' | 'content' | 'type' | 'tags' | 'pinned' | 'importance' | 'confidence' | 'createdAt')
  | ('who' | 'visibility' | 'scope' | 'project' | 'sessionId')
  | ('sourceType' | 'sourceId' | 'sourcePath')
>

/** How a memory stands with an agent at a time. */
export interface FeedbackStats {
  /** How often the agent rated it, and the sum of the ratings, each from -1 to 1. */
  readonly ratings: number
  readonly rated: number
  /** False for what is said to be valid at other times only. */
  readonly valid: boolean
}

/** A memory that was found, and how well: larger is better, comparable within one answer only. */
export interface MemoryHit {
  readonly memory: MemoryView
  readonly magnitude: number
  readonly accessCount: number
  readonly lastAccessed: string | null
  /** Where it was asked for. */
  readonly feedbackStats?: FeedbackStats
}

/** Something that happened in a range of time; `memory` unless it is not about one. */
export interface TemporalFact {
  readonly subjectType: string
  readonly subjectId: string
  readonly facet: string
  readonly startAt: string
  readonly endAt: string | null
  readonly confidence: number
  readonly memory: Memory | undefined
}
