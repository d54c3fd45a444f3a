import type { Host } from '../../kernel/host/host.ts'
import type { EngineAnswer, EngineCandidate, EngineQuery, SimilarQuery } from '../engine.ts'
import { createLapTimer } from '../lap-timer.ts'
import { toCandidates } from '../ranking/rank.ts'
import { type OpenIndex, readCurrent } from './open-index.ts'
import { type Question, toAsked, toPoolRequest, toQuestion } from './prepared-query.ts'
import { type PoolRequest, type PoolRow, readPool } from './store/candidates.ts'
import { readSimilar } from './store/nearest.ts'
import { comparing } from './store/vector-index.ts'
import { toScene } from './to-ranking-input.ts'

export type Searching = OpenIndex & { readonly host: Pick<Host, 'now'> }

const missing = 'no_vector_extension'
const behind: EngineAnswer = { candidates: [], degraded: 'index_building', timings: [] }

export async function search(index: Searching, query: EngineQuery): Promise<EngineAnswer> {
  const timer = createLapTimer(() => index.host.now().getTime())
  const asked = toAsked(query, index.readPieces)
  const knowledge = await readCurrent(index, asked)
  timer.lap('catch up')
  if (!knowledge) return behind
  const question = toQuestion(query, knowledge, index.readPieces)
  const rows = await readRows(index, question)
  timer.lap('candidates')
  const input = toScene(question, rows, index.pieces.similarity)
  const candidates = toCandidates(input, (slot) => rows[slot]?.memoryId ?? '', query)
  timer.lap('ranking')
  const isLess = query.vector !== undefined && !index.hasVectors
  return { candidates, timings: timer.laps, ...(isLess && { withoutVectors: missing }) }
}

/** Undefined where the memory is out of sight, or has no vector of this identity. */
export async function findSimilar(
  index: Searching,
  query: SimilarQuery,
): Promise<EngineAnswer | undefined> {
  if (!index.hasVectors) return { ...behind, degraded: missing }
  const timer = createLapTimer(() => index.host.now().getTime())
  const asked = { ...toAsked({ ...query, text: '' }, index.readPieces), identity: query.identity }
  const knowledge = await readCurrent(index, asked)
  timer.lap('catch up')
  if (!knowledge) return behind
  const near = await comparing(index.db, knowledge, (db) => readSimilar(db, query))
  timer.lap('candidates')
  return near && { candidates: near.map(toNear), timings: timer.laps }
}

async function readRows(index: Searching, question: Question) {
  const isEmpty = question.sought.length === 0 && !question.near
  if (isEmpty) return []
  const request = toPoolRequest(question, index.enough)
  return comparing(index.db, question.knowledge, async (db) => {
    const rows = await readPool(db, request)
    // Where most that hold the rarer terms may not answer, the commoner ones count after all.
    return isEnough(rows, request) ? rows : readPool(db, withAllTerms(request))
  })
}

function isEnough(rows: readonly PoolRow[], { leading, terms, count }: PoolRequest): boolean {
  const holding = rows.filter(({ wordCounts }) => /[1-9]/.test(wordCounts ?? ''))
  return leading.words.length === terms.length || holding.length >= count
}

function withAllTerms(request: PoolRequest): PoolRequest {
  const { terms } = request
  return { ...request, leading: { words: terms, hints: terms } }
}

function toNear({ memoryId: id, cosine }: { memoryId: string; cosine: number }): EngineCandidate {
  const vector = Math.min(1, cosine)
  return { id, score: vector, source: 'vector', evidence: { lexical: 0, soft: 0, vector, hint: 0 } }
}
