import type { Memory } from './memory.ts'
import type { FacetSpan } from './temporal-edge.ts'

/** Absent fields are inferred or take their defaults. */
export interface RememberRequest {
  readonly content: string
  readonly who?: string | undefined
  readonly project?: string | undefined
  readonly type?: string | undefined
  /** Clamped to 0..1. */
  readonly importance?: number | undefined
  readonly tags?: readonly string[] | undefined
  readonly pinned?: boolean | undefined
  readonly sourceType?: string | undefined
  readonly sourceId?: string | undefined
  /** Part of the source. Without it, a source is one memory. */
  readonly sourcePart?: string | undefined
  readonly sourcePath?: string | undefined
  readonly runtimePath?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly createdAt?: string | undefined
  readonly reviewAfter?: string | undefined
  readonly spans?: readonly FacetSpan[] | undefined
  /** The id of the memory to supersede. */
  readonly supersedes?: string | undefined
  readonly reason?: string | undefined
  readonly sessionId?: string | undefined
  readonly visibility?: 'global' | 'private' | undefined
  readonly scope?: string | undefined
  readonly hints?: readonly string[] | undefined
  readonly evidence?: Memory['evidence'] | undefined
  readonly structured?: boolean | undefined
  /** The conversation of the memory, stored under its source id, else its session id. */
  readonly transcript?: string | undefined
}
