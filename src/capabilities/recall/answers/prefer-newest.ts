import { asksForValue } from './answer-type.ts'
import { adjust, type Draft, maxCompared, toHits } from './draft.ts'
import type { AnswerHit } from './hit.ts'
import { isNearestVersion, type NearestQuestion } from './nearest-version.ts'
import { preferReplacements } from './replacements.ts'
import { preferVersion, type VersionQuestion } from './subject-recency.ts'
import { findSuccessor, type SuccessorQuestion } from './successor.ts'

/** The score of a text that has a successor, as a share of it. */
const succeededShare = 0.9

type NewestQuestion = Omit<VersionQuestion & SuccessorQuestion & NearestQuestion, 'isForValue'>

/**
 * The newest version of a subject stands first, and before it what became of its value. Related hits
 * answer in no other way. Drafts are sorted by score, and so is the result.
 */
export function preferNewest<Hit extends AnswerHit>(
  drafts: readonly Draft<Hit>[],
  related: readonly Draft<Hit>[],
  question: NewestQuestion,
): readonly Draft<Hit>[] {
  const isForValue = asksForValue(question.query)
  const versioned = preferVersions(drafts, { ...question, isForValue }).toSorted(byScore)
  const succeeded = preferSuccessor(versioned, related, { ...question, isForValue })
  return preferReplacements(succeeded, related, question)
}

function preferVersions<Hit extends AnswerHit>(
  drafts: readonly Draft<Hit>[],
  question: VersionQuestion,
): readonly Draft<Hit>[] {
  const compared = drafts.slice(0, maxCompared)
  const { adjustments, outdatedBy } = preferVersion(toHits(compared), question)
  return adjust(drafts, 'subject recency', () => adjustments).map((draft, index) => {
    const newest = outdatedBy.get(index)
    return newest === undefined ? draft : { ...draft, outdatedBy: drafts[newest]?.hit }
  })
}

function preferSuccessor<Hit extends AnswerHit>(
  drafts: readonly Draft<Hit>[],
  related: readonly Draft<Hit>[],
  question: SuccessorQuestion & NearestQuestion,
): readonly Draft<Hit>[] {
  const [best, ...others] = drafts
  if (!best) return drafts
  const all = [...others, ...related]
  const newer = findSuccessor(
    best.hit,
    all.map(({ hit }) => hit),
    question,
  )
  const named = all.find(({ hit }) => hit === newer)
  const isNearest = !named && isNearestVersion(drafts, related, question)
  const successor = isNearest ? others[0] : named
  if (!successor) return drafts
  const stage = (score: number, reason: string) => ({ name: 'successor', score, reason })
  const score = best.score * succeededShare
  const reason = isNearest
    ? 'the newer of the two nearest texts'
    : 'says what became of the best answer'
  return [
    {
      ...successor,
      score: best.score,
      stages: [...successor.stages, stage(best.score, reason)],
    },
    {
      ...best,
      score,
      stages: [...best.stages, stage(score, 'a newer text says what became of it')],
      outdatedBy: successor.hit,
    },
    ...others.filter((draft) => draft !== successor),
  ]
}

function byScore(a: Draft<AnswerHit>, b: Draft<AnswerHit>): number {
  return b.score - a.score
}
