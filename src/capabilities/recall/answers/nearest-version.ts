import { isListQuestion } from './diversity.ts'
import { type Draft, maxCompared } from './draft.ts'
import type { AnswerHit } from './hit.ts'
import { createSubjectReader, haveDifferentSubjects, isComparable } from './subject.ts'
import type { Tense } from './tense-words.ts'
import type { TextSimilarity } from './text-similarity.ts'

/** Longer texts have several subjects. */
const maxLength = 400
/** The second text must be about as relevant as the first. */
const minScoreShare = 0.4

export interface NearestQuestion {
  readonly query: string
  readonly tense: Tense
  /** The end of the time that the question names. */
  readonly until?: string | undefined
  /** The terms of the question that are no names. */
  readonly attributes: readonly string[]
  readonly hasAnswerType: (content: string) => boolean
  readonly similarity?: TextSimilarity | undefined
}

/**
 * Whether the second text is a newer version of the first in other words: it announces a change, and of
 * the texts found these two are the nearest to each other.
 */
export function isNearestVersion(
  drafts: readonly Draft<AnswerHit>[],
  related: readonly Draft<AnswerHit>[],
  question: NearestQuestion,
): boolean {
  const { similarity, until = '\uffff', tense } = question
  const [best, second] = drafts
  if (!similarity || !best || !second || best.outdatedBy) return false
  if ((tense !== 'present' && tense !== 'unspecified') || isListQuestion(question.query))
    return false
  const [older, newer] = [best.hit, second.hit]
  const isLater = newer.createdAt > older.createdAt && newer.createdAt < until
  if (!isLater || second.score < minScoreShare * best.score) return false
  if (best.specificCoverage < 1 || second.specificCoverage < 1) return false
  if (!isVersion(newer, older, question)) return false
  const own = similarity(older.content, newer.content)
  const texts = [...drafts.slice(0, maxCompared), ...related].map(({ hit }) => hit).filter(isShort)
  const isNearer = (hit: AnswerHit) =>
    (hit !== newer &&
      hit.createdAt > older.createdAt &&
      similarity(older.content, hit.content) > own) ||
    (hit !== older &&
      hit.createdAt < newer.createdAt &&
      similarity(newer.content, hit.content) > own)
  return own > 0 && !texts.some(isNearer)
}

function isVersion(
  newer: AnswerHit,
  older: AnswerHit,
  { attributes, hasAnswerType }: NearestQuestion,
): boolean {
  if (!isComparable(newer, older) || !isShort(newer) || !isShort(older)) return false
  const read = createSubjectReader()
  const [recent, old] = [read(newer.content), read(older.content)]
  const isAnswer = recent.isChange && hasAnswerType(newer.content)
  return isAnswer && !haveDifferentSubjects(recent, old, attributes)
}

function isShort({ content }: AnswerHit): boolean {
  return content.length <= maxLength
}
