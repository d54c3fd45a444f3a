import type { Host } from '../../kernel/host/host.ts'
import type { EngineAnswer, EngineCandidate, EngineQuery, SimilarQuery } from '../engine.ts'
import { createLapTimer } from '../lap-timer.ts'
import { toCandidates } from '../ranking/rank.ts'
import { type OpenIndex, readCurrent } from './open-index.ts'
import {
  type PreparedQuery,
  prepareQuery,
  toCandidateRequest,
  toStatsRequest,
} from './prepared-query.ts'
import { type CandidateRequest, type CandidateRow, readCandidates } from './store/candidates.ts'
import { readSimilar } from './store/nearest.ts'
import { withIndexSettings } from './store/vector-index.ts'
import { findBestRow, toRankingInput } from './to-ranking-input.ts'

export type SearchContext = OpenIndex & { readonly host: Pick<Host, 'now'> }

const noVectors = 'no_vector_extension'
const notReady: EngineAnswer = { candidates: [], degraded: 'index_building', timings: [] }

export async function search(index: SearchContext, query: EngineQuery): Promise<EngineAnswer> {
  const timer = createLapTimer(() => index.host.now().getTime())
  const statsRequest = toStatsRequest(query, index.tokenize)
  const stats = await readCurrent(index, statsRequest)
  timer.lap('catch up')
  if (!stats) return notReady
  const prepared = prepareQuery(query, stats, index.tokenize)
  const { rows, related } = await readRows(index, prepared)
  timer.lap('candidates')
  const { similarity } = index.wordPieces
  const input = toRankingInput(prepared, rows, { similarity, related })
  const candidates = toCandidates(input, (slot) => rows[slot]?.memoryId ?? '', query)
  timer.lap('ranking')
  const hasNoVectors = query.vector !== undefined && !index.hasVectors
  return {
    candidates,
    withoutSpelling: true,
    ...(query.explain && { translations: prepared.translations }),
    timings: timer.laps,
    ...(hasNoVectors && { withoutVectors: noVectors }),
  }
}

/** Returns undefined if the memory is not visible or has no vector of this model. */
export async function findSimilar(
  index: SearchContext,
  query: SimilarQuery,
): Promise<EngineAnswer | undefined> {
  if (!index.hasVectors) return { ...notReady, degraded: noVectors }
  const timer = createLapTimer(() => index.host.now().getTime())
  const statsRequest = {
    ...toStatsRequest({ ...query, text: '' }, index.tokenize),
    identity: query.identity,
  }
  const stats = await readCurrent(index, statsRequest)
  timer.lap('catch up')
  if (!stats) return notReady
  const neighbours = await withIndexSettings(index.db, stats, (db) => readSimilar(db, query))
  timer.lap('candidates')
  return neighbours && { candidates: neighbours.map(toCandidate), timings: timer.laps }
}

interface Rows {
  readonly rows: readonly CandidateRow[]
  /** Ids of rows that share rare terms with the best one. */
  readonly related: ReadonlySet<string>
}

async function readRows(index: SearchContext, prepared: PreparedQuery): Promise<Rows> {
  const isEmpty = prepared.searchTerms.length === 0 && !prepared.nearVector
  if (isEmpty) return { rows: [], related: new Set() }
  const request = toCandidateRequest(prepared, index.maxScannedRows)
  return withIndexSettings(index.db, prepared.stats, async (db) => {
    const selected = await readCandidates(db, request)
    // If most rows with rare terms are filtered out, all terms are searched.
    const rows = hasEnough(selected, request)
      ? selected
      : await readCandidates(db, withAllTerms(request))
    const relatedTo = prepared.query.withRelated && findBestRow(prepared, rows)?.memoryId
    if (!relatedTo) return { rows, related: new Set() }
    return addRelated(rows, await readCandidates(db, { ...request, relatedTo }))
  })
}

function addRelated(rows: readonly CandidateRow[], related: readonly CandidateRow[]): Rows {
  const known = new Set(rows.map(({ memoryId }) => memoryId))
  const added = related.filter(({ memoryId }) => !known.has(memoryId))
  const hits = related.filter(({ isHit }) => isHit)
  return { rows: [...rows, ...added], related: new Set(hits.map(({ memoryId }) => memoryId)) }
}

function hasEnough(
  rows: readonly CandidateRow[],
  { selectedTerms, terms, count }: CandidateRequest,
): boolean {
  const rowsWithTerms = rows.filter(({ wordCounts }) => /[1-9]/.test(wordCounts ?? ''))
  return selectedTerms.words.length === terms.length || rowsWithTerms.length >= count
}

function withAllTerms(request: CandidateRequest): CandidateRequest {
  const { terms } = request
  return { ...request, selectedTerms: { words: terms, hints: terms } }
}

function toCandidate({
  memoryId: id,
  cosine,
}: {
  memoryId: string
  cosine: number
}): EngineCandidate {
  const vector = Math.min(1, cosine)
  return { id, score: vector, source: 'vector', evidence: { lexical: 0, soft: 0, vector, hint: 0 } }
}
