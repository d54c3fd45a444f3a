import type { Adjustment, AnswerHit } from './hit.ts'
import type { Tense } from './tense-words.ts'
import {
  createVersionReader,
  type VersionContext,
  type VersionFeatures,
  type VersionPair,
} from './version-features.ts'

/** The weights of a logistic regression; see `bench/README.md` for its data. Costly features come last. */
const weights: Readonly<Record<keyof VersionFeatures, number>> = {
  newer: 1,
  evidence: 2.56,
  lessEvidence: -1.92,
  rank: 2.7,
  days: 3.36,
  sameSpeaker: 1,
  long: -1.42,
  specificCoverage: 1.27,
  lessSpecific: -1.37,
  lacksType: -2,
  change: 1.06,
  passing: -1.17,
  sameOpening: 1.08,
  sharedKind: 1.89,
  newNames: -0.24,
  nearest: 1.39,
}
const bias = -9.91
const featureNames = Object.keys(weights) as readonly (keyof VersionFeatures)[]
/** The largest sum that the features from each one on can add. */
const maxAhead = featureNames.map((_, index) =>
  featureNames.slice(index).reduce((sum, name) => sum + Math.max(0, weights[name]), 0),
)
/**
 * Log-odds above which a text is a version, and how much less they may be than those of the likeliest
 * one. A question about the past presumes that there is another.
 */
const minSum = -1.1
const minPastSum = -2
const maxGap = 1.5
/** Texts that are compared, and of these the first ones, which may have versions. */
const maxCompared = 7
const maxSubjects = 2
/** The score of other versions, as a share of the preferred one. */
const otherVersionShare = 0.9

export interface PreferredVersions {
  readonly adjustments: readonly Adjustment[]
  /** The index of the newest version of the subject, by the index of an older one. */
  readonly outdatedBy: ReadonlyMap<number, number>
}

export interface VersionQuestion extends VersionContext {
  readonly tense: Tense
  /** The end of the time that the question names. */
  readonly until?: string | undefined
}

/**
 * Of the versions of one subject the newest stands first, in a question about the past an older
 * one, and in a question about a time the one of that time. Hits are sorted by score.
 */
export function preferVersion(
  hits: readonly AnswerHit[],
  question: VersionQuestion,
): PreferredVersions {
  const { tense, until = '\uffff' } = question
  const adjustments: Adjustment[] = hits.map(() => undefined)
  const outdatedBy = new Map<number, number>()
  if (tense === 'event') return { adjustments, outdatedBy }
  for (const versions of listSubjects(hits.slice(0, maxCompared), question)) {
    const [newest = 0, ...older] = versions
    for (const version of older) outdatedBy.set(version, newest)
    const [first = newest, ...others] = orderVersions(versions, hits, { tense, until })
    const isPast = first !== newest
    const best = Math.max(...versions.map((version) => scoreAt(hits, version)))
    const reason = isPast ? 'an earlier version of its subject' : 'the newest of its subject'
    adjustments[first] = { score: best, reason }
    for (const other of others)
      adjustments[other] = {
        score: Math.min(scoreAt(hits, other), best * otherVersionShare),
        reason: 'another version of its subject is preferred',
      }
  }
  return { adjustments, outdatedBy }
}

/** The versions, newest first, in the order in which they answer. */
function orderVersions(
  versions: readonly number[],
  hits: readonly AnswerHit[],
  { tense, until }: { readonly tense: Tense; readonly until: string },
): readonly number[] {
  const [newest = 0, ...older] = versions
  if (tense === 'original') return versions.toReversed()
  if (tense === 'past') return [...older, newest]
  const isLater = (version: number) => dateAt(hits, version) >= until
  return [...versions.filter((one) => !isLater(one)), ...versions.filter(isLater)]
}

/** The versions of each subject, newest first; subjects with one version are left out. */
function listSubjects(hits: readonly AnswerHit[], question: VersionQuestion): number[][] {
  const isPast = question.tense === 'past' || question.tense === 'original'
  const min = isPast ? minPastSum : minSum
  const readPair = createVersionReader(hits, question)
  const isNewer = (index: number, other: number) => dateAt(hits, index) > dateAt(hits, other)
  const seen = new Set<number>()
  return hits.slice(0, maxSubjects).flatMap((_, first) => {
    if (seen.has(first)) return []
    const likely = hits.flatMap((_, index) => {
      const isOther = index > first && !seen.has(index)
      const pair = isOther ? readPair(first, index) : undefined
      const sum = pair && findSum(pair, min)
      return sum === undefined ? [] : [{ index, sum }]
    })
    const newer = likely.filter(({ index }) => isNewer(index, first))
    const minNewerSum = Math.max(...newer.map(({ sum }) => sum)) - maxGap
    const others = likely.filter(({ index, sum }) => !isNewer(index, first) || sum > minNewerSum)
    const versions = [first, ...others.map(({ index }) => index)]
    for (const index of versions) seen.add(index)
    const newestFirst = versions.toSorted((a, b) => dateAt(hits, b).localeCompare(dateAt(hits, a)))
    return versions.length > 1 ? [newestFirst] : []
  })
}

/** The log-odds that two texts are versions; undefined if they do not exceed the minimum. */
function findSum({ features, isForeign }: VersionPair, min: number): number | undefined {
  let sum = bias
  for (const [index, name] of featureNames.entries()) {
    if (sum + (maxAhead[index] ?? 0) <= min) return undefined
    sum += weights[name] * features[name]
  }
  return sum > min && !isForeign() ? sum : undefined
}

function dateAt(hits: readonly AnswerHit[], index: number): string {
  return hits[index]?.createdAt ?? ''
}

function scoreAt(hits: readonly AnswerHit[], index: number): number {
  return hits[index]?.score ?? 0
}
