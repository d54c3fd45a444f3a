import type { Adjustment, AnswerHit } from './hit.ts'
import type { TimeRange } from './time-range.ts'

/** Factors of hits inside the range, before it and after it. */
const insideFactor = 1.2
const beforeFactor = 0.65
const afterFactor = 0.55
/** A state of a long range may have begun before it. */
const beforeLongFactor = 0.85
const minLongRangeMs = 28 * 86_400_000
/** A hit inside with less than this share of the best evidence gains nothing. */
const minEvidenceShare = 0.6

/** A hit from the time that the question names gains; others lose. */
export function preferTime(
  hits: readonly AnswerHit[],
  range: TimeRange | undefined,
): readonly Adjustment[] {
  if (!range) return hits.map(() => undefined)
  const { start = '', end = '\uffff' } = range
  const isLong = !(Date.parse(end) - Date.parse(start) < minLongRangeMs)
  const minEvidence = minEvidenceShare * Math.max(...hits.map(evidenceOf))
  return hits.map((hit) => {
    const { createdAt, score } = hit
    if (createdAt >= end)
      return { score: score * afterFactor, reason: 'after the time of the question' }
    if (createdAt < start) {
      const factor = isLong ? beforeLongFactor : beforeFactor
      return { score: score * factor, reason: 'before the time of the question' }
    }
    if (isLong && evidenceOf(hit) < minEvidence) return undefined
    return { score: score * insideFactor, reason: 'from the time of the question' }
  })
}

function evidenceOf({ evidence: { lexical, soft } }: AnswerHit): number {
  return Math.max(lexical, soft)
}
