import { asksForValue } from './answer-type.ts'
import { adjust, type Draft, toHits } from './draft.ts'
import type { AnswerHit } from './hit.ts'
import { preferReplacements } from './replacements.ts'
import { findSuccessor, type SuccessorQuestion } from './successor.ts'
import { preferVersion, type VersionQuestion } from './versions.ts'

/** The score of a text that has a successor, as a share of it. */
const succeededShare = 0.9

type NewestQuestion = Omit<VersionQuestion & SuccessorQuestion, 'isForValue'>

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
  const versioned = preferVersions(drafts, question).toSorted(byScore)
  const succeeded = preferSuccessor(versioned, related, { ...question, isForValue })
  return preferReplacements(succeeded, related, question)
}

function preferVersions<Hit extends AnswerHit>(
  drafts: readonly Draft<Hit>[],
  question: VersionQuestion,
): readonly Draft<Hit>[] {
  const { adjustments, outdatedBy } = preferVersion(toHits(drafts), question)
  return adjust(drafts, 'subject recency', () => adjustments).map((draft, index) => {
    const newest = outdatedBy.get(index)
    return newest === undefined ? draft : { ...draft, outdatedBy: drafts[newest]?.hit }
  })
}

function preferSuccessor<Hit extends AnswerHit>(
  drafts: readonly Draft<Hit>[],
  related: readonly Draft<Hit>[],
  question: SuccessorQuestion,
): readonly Draft<Hit>[] {
  const [best, ...others] = drafts
  if (!best) return drafts
  const all = [...others, ...related]
  const newer = findSuccessor(
    best.hit,
    all.map(({ hit }) => hit),
    question,
  )
  const successor = all.find(({ hit }) => hit === newer)
  if (!successor) return drafts
  const stage = (score: number, reason: string) => ({ name: 'successor', score, reason })
  const score = best.score * succeededShare
  return [
    {
      ...successor,
      score: best.score,
      stages: [...successor.stages, stage(best.score, 'says what became of the best answer')],
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
