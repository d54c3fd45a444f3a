import {
  createBm25,
  createTermScorer,
  scoreLexical,
  type TermStatistics,
} from '../ranking/lexical.ts'

import {
  createCosineScale,
  fillColumn,
  noNeighbour,
  type RankingInput,
} from '../ranking/ranking-input.ts'
import { raiseForeign } from '../ranking/translation.ts'
import { readQueryTraits } from '../text/query.ts'
import { fold, isSpaceless } from '../text/terms.ts'
import { createSoftMatch } from '../tokens/soft-match.ts'
import type { TokenSimilarity } from '../tokens/token-similarity.ts'
import { decodeTokens } from './indexed-row.ts'
import { idfOfTerm, type PreparedQuery } from './prepared-query.ts'
import type { CandidateRow } from './store/candidates.ts'

interface RankingOptions {
  readonly similarity: TokenSimilarity
  /** Ids of rows that share rare terms with the best one. */
  readonly related: ReadonlySet<string>
}

/** Converts rows to the ranking input; a slot is the index of a row. */
export function toRankingInput(
  prepared: PreparedQuery,
  rows: readonly CandidateRow[],
  { similarity, related }: RankingOptions,
): RankingInput {
  const { query, termGroups, namedSpeakers, nearVector } = prepared
  const rowAt = (slot: number) => rows[slot] as CandidateRow
  const neighbourhood = {
    ...linkNeighbours(rows),
    scoredCount: rows.length,
    words: rows.map(({ length }) => length),
  }
  const scale = createCosineScale(query.vector)
  const vector = rows.map(({ whole }) => Math.max(0, scale(whole ?? 0)))
  const soft = createSoftMatch(tokenStatistics(prepared, rows), similarity, {
    queryTokens: prepared.queryTokens,
    slots: [...rows.keys()],
  })
  const lexical = scoreLexical(termStatistics(prepared, rows, 'words'), termGroups, neighbourhood)
  const signals = raiseForeign(
    {
      vector,
      passage: rows.map(({ passage }, slot) =>
        Math.max(scale(passage ?? 0), vector[slot] as number),
      ),
      soft: soft.normalised,
      softCoverage: soft.coverage,
    },
    lexical,
  )
  return {
    ...neighbourhood,
    rankedCount: rows.length,
    lexical: lexical.lexical,
    coverage: lexical.coverage,
    ...readHints(prepared, rows),
    ...signals,
    vectorKind: (nearVector && query.vector?.kind) ?? 'static',
    isAbsenceSignificant: nearVector !== undefined && !isSpaceless(query.text),
    who: rows.map(({ who }) => fold(who)),
    isNamedSpeaker: rows.map(({ who }) => (namedSpeakers.has(who) ? 1 : 0)),
    traits: rows.map(({ traits }) => traits),
    queryTraits: readQueryTraits(query.text),
    isRelated: rows.map(({ memoryId }) => (related.has(memoryId) ? 1 : 0)),
    session: numberSessions(rows),
    terms: (slot) => rowAt(slot).terms ?? [],
    createdAt: (slot) => rowAt(slot).createdAt,
    byRecency: (slot, b) => newestFirst(rowAt(slot), rowAt(b)),
  }
}

const countColumns = { words: 'wordCounts', hints: 'hintCounts' } as const
const lengthColumns = { words: 'wordsLength', hints: 'hintsLength' } as const

function termStatistics(
  { stats, searchTerms }: PreparedQuery,
  rows: readonly CandidateRow[],
  field: 'words' | 'hints',
): TermStatistics {
  const idf = (term: string) => idfOfTerm(stats, field, term)
  return {
    idfOf: idf,
    countTerms: (terms) => {
      const { length } = terms
      const places = terms.map((term) => searchTerms.indexOf(term))
      return Uint8Array.from({ length: rows.length * length }, (_, at) => {
        const counts = rows[Math.floor(at / length)]?.[countColumns[field]]
        return Number(counts?.[places[at % length] ?? -1] ?? 0)
      })
    },
    createScore: (terms) => createBm25(terms.map(idf), stats.texts(field).averageLength),
    lengthOf: (slot) => rows[slot]?.[lengthColumns[field]] ?? 0,
  }
}

/** The row with most of the query by BM25; undefined if no row has a term of it. */
export function findBestRow(
  prepared: PreparedQuery,
  rows: readonly CandidateRow[],
): CandidateRow | undefined {
  const { searchTerms } = prepared
  const { countTerms, createScore, lengthOf } = termStatistics(prepared, rows, 'words')
  const counts = Array.from(countTerms(searchTerms))
  const toScore = createScore(searchTerms)
  const { length } = searchTerms
  const scores = rows.map((_, slot) =>
    toScore(counts.slice(slot * length, (slot + 1) * length), lengthOf(slot)),
  )
  const best = Math.max(0, ...scores)
  return best > 0 ? rows[scores.indexOf(best)] : undefined
}

/** Hints get no terms from neighbours. */
function readHints(
  prepared: PreparedQuery,
  rows: readonly CandidateRow[],
): Pick<RankingInput, 'hint' | 'hintCoverage'> {
  const { score, coverage } = createTermScorer(
    termStatistics(prepared, rows, 'hints'),
    prepared.termGroups,
  )
  const hint = fillColumn(rows.length, (slot) => score(slot))
  return { hint, hintCoverage: (slot) => ((hint[slot] as number) > 0 ? coverage(slot) : 0) }
}

function tokenStatistics({ stats }: PreparedQuery, rows: readonly CandidateRow[]) {
  const { count, averageLength } = stats.texts('pieces')
  const none = new Uint32Array(0)
  const lists = rows.map(({ pieces }) => decodeTokens(pieces))
  return {
    of: (slot: number) => lists[slot] ?? none,
    lengthOf: (slot: number) => rows[slot]?.piecesLength ?? 0,
    documentFrequency: (token: number) => stats.documentFrequency('pieces', String(token)),
    count: () => count,
    averageLength: () => averageLength,
  }
}

/** Links session neighbours that are among the rows. */
function linkNeighbours(rows: readonly CandidateRow[]) {
  const slots = new Map(rows.map(({ memoryId }, slot) => [memoryId, slot]))
  const [before, after] = [rows.map(() => noNeighbour), rows.map(() => noNeighbour)]
  const link = (earlier: number | undefined, later: number | undefined) => {
    if (earlier === undefined || later === undefined) return
    before[later] = earlier
    after[earlier] = later
  }
  for (const [slot, { beforeId, afterId }] of rows.entries()) {
    link(beforeId === null ? undefined : slots.get(beforeId), slot)
    link(slot, afterId === null ? undefined : slots.get(afterId))
  }
  return { before, after }
}

function numberSessions(rows: readonly CandidateRow[]): number[] {
  const numbers = new Map<string, number>()
  return rows.map(({ agentId, project, sessionId }) => {
    if (sessionId === null) return 0
    const key = JSON.stringify([agentId, project, sessionId])
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return number
  })
}

function newestFirst(a: CandidateRow, b: CandidateRow): number {
  return b.createdAt - a.createdAt || (b.memoryId < a.memoryId ? -1 : 1)
}
