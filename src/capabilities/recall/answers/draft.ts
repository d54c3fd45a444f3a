import type { ConfidenceFeatures } from './confidence.ts'
import type { Adjustment, AnswerHit } from './hit.ts'

/** Only the first hits are compared with each other. */
export const maxCompared = 20

/** A score with the rules that changed it, and the probability that the hit answers the query. */
export interface RankedHit<Hit> {
  readonly hit: Hit
  readonly score: number
  readonly confidence: number
  /** The input of the confidence. */
  readonly features: ConfidenceFeatures
  readonly stages: readonly {
    readonly name: string
    readonly score: number
    readonly reason: string
  }[]
  /** The newest version of the subject. */
  readonly outdatedBy: Hit | undefined
}

/** A hit before its confidence is known. */
export type Draft<Hit> = Omit<RankedHit<Hit>, 'confidence' | 'features'> & {
  readonly specificCoverage: number
}

/** Applies a rule that changes scores. */
export function adjust<Hit extends AnswerHit>(
  drafts: readonly Draft<Hit>[],
  name: string,
  rule: (drafts: readonly Draft<Hit>[]) => readonly Adjustment[],
): Draft<Hit>[] {
  const adjustments = rule(drafts)
  return drafts.map((draft, index) => {
    const adjustment = adjustments[index]
    if (!adjustment) return draft
    return { ...draft, score: adjustment.score, stages: [...draft.stages, { name, ...adjustment }] }
  })
}

/** The hits with their present scores. */
export function toHits(drafts: readonly Draft<AnswerHit>[]): AnswerHit[] {
  return drafts.map(({ hit, score }) => ({ ...hit, score }))
}
