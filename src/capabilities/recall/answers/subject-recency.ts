import { isSpaceless, readTerms } from '../../../search/index.ts'
import type { Adjustment, AnswerHit } from './hit.ts'
import {
  createSubjectReader,
  createSubjectSimilarity,
  haveDifferentSubjects,
  minStrongSimilarity,
  minSubjectSimilarity,
  type Subject,
  shareAttribute,
} from './subject.ts'
import type { Tense } from './tense-words.ts'
import { haveOtherValues } from './values.ts'

/** A version must be about as relevant as the one that it replaces. */
const minScoreShare = 0.6
const minEvidenceShare = 0.8
/** The same for a text that announces a change. */
const minChangeEvidenceShare = 0.6
/** The change that a question asks for needs less in common, and less of the question. */
const minPresentSimilarity = 0.1
const minPresentEvidenceShare = 0.3
/** The same for a text with another value, in words that the question does not have. */
const minValueScoreShare = 0.45
const minValueEvidenceShare = 0.4
/** The score of other versions, as a share of the preferred one. */
const otherVersionShare = 0.9

export interface SubjectRecency {
  readonly adjustments: readonly Adjustment[]
  /** The index of the newest version of the subject, by the index of an older one. */
  readonly outdatedBy: ReadonlyMap<number, number>
}

/**
 * Of the versions of one subject the newest stands first, in a question about the past an older
 * one, and in a question about a time the one of that time. Hits are sorted by score.
 */
export function preferVersion(
  hits: readonly AnswerHit[],
  question: VersionQuestion,
): SubjectRecency {
  const { tense, until = '\uffff' } = question
  const adjustments: Adjustment[] = hits.map(() => undefined)
  const outdatedBy = new Map<number, number>()
  if (tense === 'event') return { adjustments, outdatedBy }
  for (const versions of listSubjects(hits, question)) {
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

export interface VersionQuestion {
  readonly query: string
  readonly tense: Tense
  /** The end of the time that the question names. */
  readonly until?: string | undefined
  /** The terms of the question that are no names: the attributes of its subject. */
  readonly attributes: readonly string[]
  /** Whether the question asks for a number or a time. */
  readonly isForValue: boolean
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
  const isLater = (version: number) => (hits[version]?.createdAt ?? '') >= until
  return [...versions.filter((one) => !isLater(one)), ...versions.filter(isLater)]
}

/** The versions of each subject, newest first; subjects with one version are left out. */
function listSubjects(hits: readonly AnswerHit[], question: VersionQuestion): number[][] {
  const readSubject = createSubjectReader()
  const similarity = createSubjectSimilarity(hits, readSubject)
  const isPresent = question.tense === 'present'
  const minSimilarity = isPresent ? minPresentSimilarity : minSubjectSimilarity
  const seen = new Set<number>()
  return hits.flatMap((_, first) => {
    if (seen.has(first)) return []
    const versions = [first]
    for (const [index, hit] of hits.entries()) {
      const repeats = (version: number) => {
        const own = similarity(index, version)
        // Most pairs end here, so that few texts are read.
        if (own < minSimilarity) return false
        const pair = { ...question, similarity: own, best: hits[first] ?? hit, readSubject }
        return isVersion(hit, hits[version] ?? hit, pair)
      }
      // A version may have more in common with another one than with the best.
      if (index > first && !seen.has(index) && versions.some(repeats)) versions.push(index)
    }
    for (const index of versions) seen.add(index)
    const newestFirst = versions.toSorted((a, b) =>
      (hits[b]?.createdAt ?? '').localeCompare(hits[a]?.createdAt ?? ''),
    )
    return versions.length > 1 ? [newestFirst] : []
  })
}

interface Pair extends VersionQuestion {
  readonly similarity: number
  /** The best hit about the subject. */
  readonly best: AnswerHit
  readonly readSubject: (content: string) => Subject
}

function isVersion(hit: AnswerHit, other: AnswerHit, pair: Pair): boolean {
  const { similarity, tense, readSubject } = pair
  const isPresent = tense === 'present'
  const [newerHit, olderHit] = hit.createdAt > other.createdAt ? [hit, other] : [other, hit]
  const [newer, older] = [readSubject(newerHit.content), readSubject(olderHit.content)]
  const isSought = newer.isChange && isPresent
  const isValue = isNewValue(hit, { newer, older, pair })
  const isLikely = isValue || tense !== 'unspecified' || newer.isChange || isStrong(similarity, hit)
  if (!isLikely || haveDifferentSubjects(newer, older, pair.attributes)) return false
  if (isValue) return true
  if (isSought)
    return isRequestedChange(newerHit, { newer, older, pair }) || isNewState(hit, newerHit, pair)
  if (!haveOneSubject(newer, older, similarity)) return false
  return newer.isChange ? isNewState(hit, newerHit, pair) : isAsRelevant(hit, pair.best, false)
}

function haveOneSubject(newer: Subject, older: Subject, similarity: number): boolean {
  return similarity >= minSubjectSimilarity && shareAttribute(newer, older)
}

function isNewState(hit: AnswerHit, newerHit: AnswerHit, pair: Pair): boolean {
  const isSimilar = isStrong(pair.similarity, hit) && hasAttribute(newerHit, pair)
  return isSimilar || isAsRelevant(hit, pair.best, true)
}

/**
 * Whether the newer text gives another value of one kind, for a question that asks for one. The texts
 * share terms of the question, and others besides.
 */
function isNewValue(hit: AnswerHit, { newer, older, pair }: SubjectPair): boolean {
  const { best, similarity, isForValue } = pair
  if (!isForValue || similarity < minSubjectSimilarity) return false
  const isNear =
    hit.score >= minValueScoreShare * best.score &&
    evidenceOf(hit) >= minValueEvidenceShare * evidenceOf(best)
  if (!isNear || !haveOtherValues(newer.values, older.values)) return false
  const queryTerms = new Set(readTerms(pair.query))
  const shared = [...newer.terms].filter((term) => older.terms.has(term))
  const named = shared.filter((term) => queryTerms.has(term))
  return named.length > 0 && named.length < shared.length
}

interface SubjectPair {
  readonly newer: Subject
  readonly older: Subject
  readonly pair: Pair
}

/** Whether a change is about what the question and the older text name. */
function isRequestedChange(newerHit: AnswerHit, { newer, older, pair }: SubjectPair): boolean {
  const { attributes, best } = pair
  const isNamed = attributes.some((term) => newer.terms.has(term) && older.terms.has(term))
  const minEvidence = minPresentEvidenceShare * evidenceOf(best)
  return isNamed && evidenceOf(newerHit) >= minEvidence
}

function hasAttribute({ content }: AnswerHit, { attributes }: Pair): boolean {
  const terms = new Set(readTerms(content))
  return attributes.some((term) => terms.has(term))
}

function isAsRelevant(hit: AnswerHit, best: AnswerHit, isChange: boolean): boolean {
  const minShare = isChange ? minChangeEvidenceShare : minEvidenceShare
  return hit.score >= minScoreShare * best.score && evidenceOf(hit) >= minShare * evidenceOf(best)
}

/** In scripts without spaces, texts about one person share most of their characters. */
function isStrong(similarity: number, { content }: AnswerHit): boolean {
  return similarity >= minStrongSimilarity && !isSpaceless(content)
}

function scoreAt(hits: readonly AnswerHit[], index: number): number {
  return hits[index]?.score ?? 0
}

function evidenceOf({ evidence: { lexical, soft, hint } }: AnswerHit): number {
  return Math.max(lexical, soft, hint)
}
