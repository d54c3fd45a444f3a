import { isSpaceless } from '../../../search/index.ts'
import type { Adjustment, AnswerHit } from './hit.ts'
import { createSubjectSimilarity, minStrongSimilarity, nameDifferentThings } from './subject.ts'
import { announcesChange, type Tense } from './tense-words.ts'

/** A version must be about as relevant as the one that it replaces. */
const minScoreShare = 0.6
const minEvidenceShare = 0.8
/** The same for a text that announces a change. */
const minChangeEvidenceShare = 0.6
/** The score of other versions, as a share of the preferred one. */
const otherVersionShare = 0.9

export interface SubjectRecency {
  readonly adjustments: readonly Adjustment[]
  /** The index of the newest version of the subject, by the index of an older one. */
  readonly outdatedBy: ReadonlyMap<number, number>
}

/**
 * Of the versions of one subject the newest stands first, and in a question about the past an
 * older one. Hits are sorted by score.
 */
export function preferVersion(hits: readonly AnswerHit[], tense: Tense): SubjectRecency {
  const adjustments: Adjustment[] = hits.map(() => undefined)
  const outdatedBy = new Map<number, number>()
  if (tense === 'event') return { adjustments, outdatedBy }
  for (const versions of listSubjects(hits, tense)) {
    const [newest = 0, ...older] = versions
    for (const version of older) outdatedBy.set(version, newest)
    const isPast = tense === 'past'
    const [first = newest, ...others] = isPast ? [...older, newest] : versions
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

/** The versions of each subject, newest first; subjects with one version are left out. */
function listSubjects(hits: readonly AnswerHit[], tense: Tense): number[][] {
  const similarity = createSubjectSimilarity(hits)
  const seen = new Set<number>()
  return hits.flatMap((best, first) => {
    if (seen.has(first)) return []
    const others = hits.flatMap((hit, index) =>
      index > first && !seen.has(index) && isVersion(hit, best, similarity(index, first), tense)
        ? [index]
        : [],
    )
    for (const index of others) seen.add(index)
    const newestFirst = [first, ...others].toSorted((a, b) =>
      (hits[b]?.createdAt ?? '').localeCompare(hits[a]?.createdAt ?? ''),
    )
    return others.length > 0 ? [newestFirst] : []
  })
}

function isVersion(hit: AnswerHit, best: AnswerHit, similarity: number, tense: Tense): boolean {
  if (similarity === 0 || hit.score < minScoreShare * best.score) return false
  const [newer, older] = hit.createdAt > best.createdAt ? [hit, best] : [best, hit]
  const isChange = announcesChange(newer.content)
  if (nameDifferentThings(newer.content, older.content, isChange)) return false
  if (tense === 'unspecified' && !isChange && !isStrong(similarity, hit)) return false
  const minShare = isChange ? minChangeEvidenceShare : minEvidenceShare
  return evidenceOf(hit) >= minShare * evidenceOf(best)
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
