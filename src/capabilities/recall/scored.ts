import type { Found } from '../memory/index.ts'

/** Maximum score of hits by hints alone, because hints are derived text. */
export const maxHintScore = 0.75

/** The score of a memory at one ranking stage, with the reason. */
export interface ExplainStage {
  readonly name: string
  /** Evidence of the stage up to `fused`; after it, the score after the stage. */
  readonly score: number
  readonly reason?: string | undefined
}

type HitSource = 'hybrid' | 'vector' | 'keyword' | 'hint' | 'structured' | 'traversal'

/** A hit with its score: 0 to 1 before boosts. */
export interface Scored {
  readonly found: Found
  readonly score: number
  readonly source: HitSource
  /** Share of the query that near-synonyms in the memory cover, 0 to 1; 0 if unknown. */
  readonly termSimilarity?: number
  /** The explain stages of the score. */
  readonly stages: readonly ExplainStage[]
}

/** The stages that failed, with a one-word cause. */
export interface Degradation {
  readonly stages: readonly string[]
  readonly cause: string
}
