import { createTermScorer, scoreLexical, type TermStatistics } from '../ranking/lexical.ts'
import { createCosineScale, fillColumn, type RankingInput } from '../ranking/ranking-input.ts'
import { raiseForeign } from '../ranking/translation.ts'
import type { TermGroup } from '../text/lexicon/expand-terms.ts'
import { readQueryTraits } from '../text/query.ts'
import { isSpaceless } from '../text/terms.ts'
import type { SoftMatch } from '../tokens/soft-match.ts'
import type { CandidateSet } from './candidate-set.ts'
import type { Evidence } from './evidence.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { Postings } from './postings/postings.ts'
import type { NearestVectors } from './vectors/nearest-neighbours.ts'

interface IndexEvidence extends Evidence {
  readonly candidates: CandidateSet
  readonly soft: SoftMatch | undefined
}

/** Converts the evidence of a query to the ranking input. Positions are those of the candidate set. */
export function toRankingInput(
  index: SearchIndex,
  question: string,
  evidence: IndexEvidence,
): RankingInput {
  const { columns, speakers, sessions } = index
  const { nearest, soft, candidates, vector } = evidence
  const { rankedCount, scoredCount, before, after } = candidates
  const none = new Float64Array(scoredCount)
  const who = Array.from(pick(columns.codes.who.values, candidates))
  const words = pick(columns.words.values, candidates)
  const slotAt = (position: number) => candidates.slots[position] as number
  const lexical = scoreLexical(restrictTo(index.words, candidates), weighTerms(evidence), {
    scoredCount,
    before,
    after,
    words,
  })
  const signals = raiseForeign(
    {
      ...(nearest ? readCosines(nearest, evidence) : { vector: none, passage: none }),
      soft: soft?.normalised ?? none,
      softCoverage: soft?.coverage ?? none,
    },
    lexical,
  )
  return {
    rankedCount,
    scoredCount,
    before,
    after,
    words,
    lexical: lexical.lexical,
    coverage: lexical.coverage,
    ...readHints(index, evidence),
    ...signals,
    vectorKind: (nearest && vector?.kind) ?? 'static',
    isAbsenceSignificant: nearest !== undefined && !isSpaceless(question),
    who: who.map(speakers.nameOf),
    isNamedSpeaker: who.map((code) => (evidence.namedSpeakers.has(code) ? 1 : 0)),
    traits: pick(columns.traits.values, candidates),
    queryTraits: readQueryTraits(question),
    isRelated: fillColumn(rankedCount, (position) =>
      evidence.related.has(slotAt(position)) ? 1 : 0,
    ),
    session: fillColumn(scoredCount, (position) => sessions.numberOf(slotAt(position))),
    terms: (position) => index.words.codesOf(slotAt(position)),
    createdAt: (position) => columns.createdAt.values[slotAt(position)] as number,
    byRecency: (position, other) => index.oldestFirst(slotAt(other), slotAt(position)),
  }
}

const correctedWeight = 0.85

/** A corrected term may not be what the query means. */
function weighTerms({ termGroups, corrections }: Evidence): readonly TermGroup[] {
  if (corrections.length === 0) return termGroups
  const corrected = new Set(corrections.map(({ to }) => to))
  return termGroups.map((group) =>
    group.map((one) =>
      corrected.has(one.term) ? { ...one, weight: correctedWeight * one.weight } : one,
    ),
  )
}

/** Gathers a column by position: a full column exceeds the processor cache. */
function pick(values: ArrayLike<number>, { slots, scoredCount }: CandidateSet): Int32Array {
  const picked = new Int32Array(scoredCount)
  for (let position = 0; position < scoredCount; position++)
    picked[position] = values[slots[position] as number] as number
  return picked
}

/** The best passage of a short text is the whole text. */
function readCosines(
  nearest: NearestVectors,
  { vector, candidates: { slots, scoredCount } }: Pick<IndexEvidence, 'vector' | 'candidates'>,
): Pick<RankingInput, 'vector' | 'passage'> {
  const { whole, passage } = nearest.cosinesOf(slots.slice(0, scoredCount))
  const scale = createCosineScale(vector)
  return {
    vector: whole.map(scale),
    passage: passage.map((best, position) => scale(Math.max(best, whole[position] as number))),
  }
}

function restrictTo(words: Postings, candidates: CandidateSet): TermStatistics {
  const lengths = fillColumn(candidates.scoredCount, (position) =>
    words.lengthOf(candidates.slots[position] as number),
  )
  return {
    ...words,
    countTerms: (terms) => words.countTerms(terms, candidates.slots),
    lengthOf: (position) => lengths[position] as number,
  }
}

/** Hints count for the agent who left them. */
function readHints(
  { hints, columns }: SearchIndex,
  { candidates, isHinted, ownAgent, termGroups }: IndexEvidence,
): Pick<RankingInput, 'hint' | 'hintCoverage'> {
  if (!isHinted) return { hint: new Float64Array(candidates.scoredCount), hintCoverage: () => 0 }
  const statistics = restrictTo(hints, candidates)
  const { score, coverage } = createTermScorer(statistics, termGroups)
  const agents = pick(columns.codes.agent.values, candidates)
  const hint = fillColumn(candidates.scoredCount, (position) =>
    agents[position] === ownAgent ? score(position) : 0,
  )
  return {
    hint,
    hintCoverage: (position) => ((hint[position] as number) > 0 ? coverage(position) : 0),
  }
}
