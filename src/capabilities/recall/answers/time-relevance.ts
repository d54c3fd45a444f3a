import { fold } from '../../../search/index.ts'
import type { Adjustment, AnswerHit } from './hit.ts'
import type { TimeRange } from './time-range.ts'
import { monthNames } from './time-words.ts'

/** Longer texts name many times. */
const maxNamedLength = 300
/** Factor outside the range if the question asks for nothing else. */
const otherFactor = 0.3

/** Factors of hits inside the range, before it and after it. */
const insideFactor = 1.2
const beforeFactor = 0.65
const afterFactor = 0.55
/** A state of a long range may have begun before it. */
const beforeLongFactor = 0.85
const minLongRangeMs = 28 * 86_400_000
/** A hit inside with less than this share of the best evidence gains nothing. */
const minEvidenceShare = 0.6

const minMonthMs = 27 * 86_400_000
const maxMonthMs = 32 * 86_400_000

interface TimedQuestion {
  readonly range: TimeRange | undefined
  /** Whether the question asks for nothing but what belongs to the time. */
  readonly isOnlyTime: boolean
}

/** A hit from the time that the question names gains; others lose. */
export function preferTime(
  hits: readonly AnswerHit[],
  { range, isOnlyTime }: TimedQuestion,
): readonly Adjustment[] {
  if (!range) return hits.map(() => undefined)
  const { start = '', end = '\uffff' } = range
  const isLong = !(Date.parse(end) - Date.parse(start) < minLongRangeMs)
  const minEvidence = minEvidenceShare * Math.max(...hits.map(evidenceOf))
  const namesTime = createMonthTest(range)
  const factorBefore = isLong ? beforeLongFactor : beforeFactor
  const move = (hit: AnswerHit, factor: number, reason: string) => ({
    score: hit.score * (isOnlyTime ? Math.min(factor, otherFactor) : factor),
    reason: `${reason} the time of the question`,
  })
  return hits.map((hit) => {
    const isNear = evidenceOf(hit) >= minEvidence
    if (isFrom(range, hit)) {
      if (isLong && !isNear && !isOnlyTime) return undefined
      return { score: hit.score * insideFactor, reason: 'from the time of the question' }
    }
    if (isNear && namesTime(hit.content)) return undefined
    return hit.createdAt < start
      ? move(hit, factorBefore, 'before')
      : move(hit, afterFactor, 'after')
  })
}

/** Whether a hit was created in the range. */
export function isFrom(
  { start = '', end = '\uffff' }: TimeRange,
  { createdAt }: Pick<AnswerHit, 'createdAt'>,
): boolean {
  return createdAt >= start && createdAt < end
}

/** Whether a text names the month that the question is about. */
function createMonthTest(range: TimeRange): (content: string) => boolean {
  const names = findMonthNames(range)
  if (names === undefined) return () => false
  const pattern = toMonthPattern(names)
  return (content) => pattern.test(fold(content.slice(0, maxNamedLength)))
}

/** Whether a hit is the record of another month than the one that the question is about. */
export function createOtherMonthTest(range: TimeRange | undefined): (hit: AnswerHit) => boolean {
  const names = range && findMonthNames(range)
  if (!range || names === undefined) return () => false
  return (hit) => {
    const month = monthTitle.exec(fold(hit.content.slice(0, maxNamedLength)))?.groups?.['month']
    return month !== undefined && !names.includes(month) && !isFrom(range, hit)
  }
}

/** Short forms may be other words; the English "may" is a month right before the colon. */
const titleMonths = [
  ...monthNames.flat().filter((name) => name.length > 3 || name === 'mai'),
  String.raw`may(?=\s?:)`,
]
/** A title with a month before a colon. */
const monthTitle = new RegExp(
  String.raw`^[^:.]{0,60}(?<!\p{L})(?<month>${titleMonths.join('|')})(?!\p{L})[^:.]{0,12}:(?!\d)`,
  'u',
)

/** The names of the month of a range; undefined for other ranges. */
function findMonthNames({ start, end }: TimeRange): readonly string[] | undefined {
  const from = Date.parse(start ?? '')
  const length = Date.parse(end ?? '') - from
  const isMonth = length >= minMonthMs && length <= maxMonthMs
  return isMonth ? monthNames[new Date(from + length / 2).getUTCMonth()] : undefined
}

/** Short forms may be other words; the English "may" is a month next to a day. */
function toMonthPattern(names: readonly string[]): RegExp {
  const fullNames = names.filter((name) => name.length > 3 || name === 'mai')
  const may = names.includes('may') ? ['may \\d', '\\d may'] : []
  return new RegExp(String.raw`(?<!\p{L})(?:${[...fullNames, ...may].join('|')})`, 'u')
}

function evidenceOf({ evidence: { lexical, soft } }: AnswerHit): number {
  return Math.max(lexical, soft)
}
