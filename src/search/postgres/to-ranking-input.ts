import { createBm25 } from '../ranking/bm25.ts'
import { createTermScorer, scoreLexical, type TermStatistics } from '../ranking/lexical.ts'
import { fillColumn, noNeighbour, type RankingInput } from '../ranking/ranking-input.ts'
import { fold, isSpaceless } from '../text/terms.ts'
import { readQueryTraits } from '../text/traits.ts'
import { createSoftMatch } from '../tokens/soft-match.ts'
import type { TokenSimilarity } from '../tokens/token-similarity.ts'
import { toPieces } from './indexed-row.ts'
import { type Question, rarityOfTerm } from './prepared-query.ts'
import type { PoolRow } from './store/candidates.ts'

/** What the ranking is told of the rows that were found; a slot is a row's place among them. */
export function toScene(
  question: Question,
  rows: readonly PoolRow[],
  likeness: TokenSimilarity,
): RankingInput {
  const { query, terms, named, near } = question
  const rowAt = (slot: number) => rows[slot] as PoolRow
  const surroundings = {
    ...placeBeside(rows),
    scoredCount: rows.length,
    words: rows.map(({ length }) => length),
  }
  const vector = rows.map(({ whole }) => Math.max(0, whole ?? 0))
  const soft = createSoftMatch(readPieceLists(question, rows), likeness, {
    queryTokens: question.pieces,
    slots: [...rows.keys()],
  })
  return {
    ...{ ...surroundings, rankedCount: rows.length },
    ...scoreLexical(countsOf(question, rows, 'words'), terms, surroundings),
    ...readHints(question, rows),
    vector,
    passage: rows.map(({ passage }, slot) => Math.max(passage ?? 0, vector[slot] as number)),
    soft: soft.normalised,
    softCoverage: soft.coverage,
    isAbsenceSignificant: near !== undefined && !isSpaceless(query.text),
    who: rows.map(({ who }) => fold(who)),
    isNamedSpeaker: rows.map(({ who }) => (named.has(who) ? 1 : 0)),
    traits: rows.map(({ traits }) => traits),
    queryTraits: readQueryTraits(query.text),
    session: numberSessions(rows),
    terms: (slot) => rowAt(slot).terms ?? [],
    byRecency: (slot, other) => newestFirst(rowAt(slot), rowAt(other)),
  }
}

const shown = { words: 'wordCounts', hints: 'hintCounts' } as const
const lengths = { words: 'wordsLength', hints: 'hintsLength' } as const

function countsOf(
  { knowledge }: Question,
  rows: readonly PoolRow[],
  field: 'words' | 'hints',
): TermStatistics {
  const rarity = (term: string) => rarityOfTerm(knowledge, field, term)
  return {
    idfOf: rarity,
    // Whoever asks names the terms of the question, in their order.
    countTerms: ({ length }) =>
      Uint8Array.from({ length: rows.length * length }, (_, at) => {
        const counts = rows[Math.floor(at / length)]?.[shown[field]]
        return Number(counts?.[at % length] ?? 0)
      }),
    createScore: (asked) => createBm25(asked.map(rarity), knowledge.texts(field).averageLength),
    lengthOf: (slot) => rows[slot]?.[lengths[field]] ?? 0,
  }
}

/** By themselves: hints lend one another nothing. */
function readHints(
  question: Question,
  rows: readonly PoolRow[],
): Pick<RankingInput, 'hint' | 'hintCoverage'> {
  const { score, coverage } = createTermScorer(countsOf(question, rows, 'hints'), question.terms)
  const hint = fillColumn(rows.length, (slot) => score(slot))
  return { hint, hintCoverage: (slot) => ((hint[slot] as number) > 0 ? coverage(slot) : 0) }
}

function readPieceLists({ knowledge }: Question, rows: readonly PoolRow[]) {
  const { count, averageLength } = knowledge.texts('pieces')
  const none = new Uint32Array(0)
  const lists = rows.map(({ pieces }) => toPieces(pieces))
  return {
    of: (slot: number) => lists[slot] ?? none,
    lengthOf: (slot: number) => rows[slot]?.piecesLength ?? 0,
    documentFrequency: (piece: number) => knowledge.holding('pieces', String(piece)),
    count: () => count,
    averageLength: () => averageLength,
  }
}

/** What was said before and after, where that may answer too: it is among the rows then. */
function placeBeside(rows: readonly PoolRow[]) {
  const slots = new Map(rows.map(({ memoryId }, slot) => [memoryId, slot]))
  const [before, after] = [rows.map(() => noNeighbour), rows.map(() => noNeighbour)]
  const place = (earlier: number | undefined, later: number | undefined) => {
    if (earlier === undefined || later === undefined) return
    before[later] = earlier
    after[earlier] = later
  }
  for (const [slot, { beforeId, afterId }] of rows.entries()) {
    place(beforeId === null ? undefined : slots.get(beforeId), slot)
    place(slot, afterId === null ? undefined : slots.get(afterId))
  }
  return { before, after }
}

function numberSessions(rows: readonly PoolRow[]): number[] {
  const numbers = new Map<string, number>()
  return rows.map(({ agentId, project, sessionId }) => {
    if (sessionId === null) return 0
    const key = JSON.stringify([agentId, project, sessionId])
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return number
  })
}

function newestFirst(one: PoolRow, other: PoolRow): number {
  return other.createdAt - one.createdAt || (other.memoryId < one.memoryId ? -1 : 1)
}
