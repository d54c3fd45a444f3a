import type { Draft } from './draft.ts'
import type { AnswerHit } from './hit.ts'
import type { Tense } from './tense-words.ts'

/** The score of the text that answers less, as a share of the other. */
const otherShare = 0.9

interface ReplacementQuestion {
  readonly tense: Tense
  /** The end of the time that the question names. */
  readonly until?: string | undefined
}

/**
 * Texts whose claims the knowledge graph knows as superseded stand behind what replaced them. In a
 * question about the past they stand before it.
 */
export function preferReplacements<Hit extends AnswerHit>(
  drafts: readonly Draft<Hit>[],
  related: readonly Draft<Hit>[],
  { tense, until = '\uffff' }: ReplacementQuestion,
): readonly Draft<Hit>[] {
  const replaced = drafts.filter(({ hit }) => hit.replacements !== undefined)
  if (tense === 'event' || replaced.length === 0) return drafts
  const isPast = tense === 'past' || tense === 'original'
  const known = new Map([...related, ...drafts].map((draft) => [draft.hit.id, draft]))
  const ranked = new Map(drafts.map((draft) => [draft.hit, draft]))
  for (const { hit } of replaced) {
    const [newer] = hit.replacements?.flatMap((id) => known.get(id)?.hit ?? []) ?? []
    const older = ranked.get(hit)
    if (!older || !newer) continue
    const pair = { older: { ...older, outdatedBy: newer }, newer: ranked.get(newer) }
    const isOlderMeant = isPast || newer.createdAt >= until
    for (const draft of orderPair(pair, known.get(newer.id), isOlderMeant))
      ranked.set(draft.hit, draft)
  }
  return [...ranked.values()].toSorted((a, b) => b.score - a.score)
}

interface Pair<Hit> {
  readonly older: Draft<Hit>
  /** Undefined if only the graph names it. */
  readonly newer: Draft<Hit> | undefined
}

function orderPair<Hit>(
  { older, newer: ranked }: Pair<Hit>,
  named: Draft<Hit> | undefined,
  isOlderMeant: boolean,
): readonly Draft<Hit>[] {
  const newer = ranked ?? named
  // A text that only the graph names does not stand behind what it replaces.
  if (!newer || (isOlderMeant && !ranked)) return [older]
  const best = Math.max(older.score, ranked?.score ?? 0)
  const [first, second] = isOlderMeant ? [older, newer] : [newer, older]
  const rank = (draft: Draft<Hit>, score: number): Draft<Hit> => {
    const isOlder = draft === older
    const reason = isOlder ? 'newer claims replace its claims' : 'its claims replace older claims'
    return { ...draft, score, stages: [...draft.stages, { name: 'replaced', score, reason }] }
  }
  return [rank(first, best), rank(second, Math.min(second.score, best * otherShare))]
}
