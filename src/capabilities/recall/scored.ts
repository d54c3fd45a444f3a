import type { Found } from '../memory/index.ts'

/** What a stage of the ranking made of a memory, and why. */
export interface RankedBy {
  readonly name: string
  /** Up to the stage `fused` what this evidence says by itself, from then on the score after the stage. */
  readonly score: number
  readonly reason?: string | undefined
}

type Source = 'hybrid' | 'vector' | 'keyword' | 'hint' | 'structured' | 'traversal'

/** A memory that answers a question, and how well: from 0 to 1 before its own worth counts. */
export interface Scored {
  readonly found: Found
  readonly score: number
  readonly source: Source
  /** How much of the question it says in words of nearly the same meaning, 0 to 1; 0 where nobody has looked. */
  readonly likeness?: number
  /** What led to the score. */
  readonly stages: readonly RankedBy[]
}

/** Answered without some stages; the cause is one word. */
export interface Degradation {
  readonly stages: readonly string[]
  readonly cause: string
}
