import type { SearchRequest } from '../memory/index.ts'
import { mergeScored, searchGraph } from './graph-stages.ts'
import { type Question, searchIndex } from './index-stages.ts'
import type { RecallNeeds } from './needs.ts'
import { type Candidate, toRow } from './result.ts'
import type { Degradation, Scored } from './scored.ts'
import { searchWords } from './word-stages.ts'
import { readWords, type Words } from './words.ts'
import { useOf, weigh } from './worth.ts'

export type FindNeeds = Pick<
  RecallNeeds,
  'memory' | 'config' | 'engine' | 'embeddings' | 'graph' | 'log'
>

export interface FoundAnswer {
  /** The best first. */
  readonly candidates: readonly Candidate[]
  /** Whether meaning counted beside words. */
  readonly method: 'hybrid' | 'keyword'
  readonly degradation: Degradation | undefined
  /** Whether there may be others behind these. */
  readonly mayHaveMore: boolean
}

/** What answers a question: the index where it can, else the words in the database. */
export async function find(
  needs: FindNeeds,
  question: Question,
  request: SearchRequest,
): Promise<FoundAnswer> {
  const { search } = needs.memory
  const { stopwatch, query } = question
  const [{ scored, degradation, isFull }, linked] = await Promise.all([
    searchDirect(needs, question, request),
    stopwatch.measure('graph', () => searchGraph(needs, question, request)),
  ])
  const config = needs.config()
  const characters = needs.memory.shownCharacters()
  // What fits too little is no answer, however new or often used it is.
  const fits = ({ score }: Scored) => score >= config.min_score
  const fitting = mergeScored(scored, linked ?? []).filter(fits)
  const of = { agentId: request.readScope.agentId, at: question.now }
  // What is found by its id brings its own.
  const others = fitting
    .filter(({ found }) => !found.feedbackStats)
    .map(({ found }) => found.memory.id)
  const standings = await stopwatch.measure('worth', () => search.readFeedbackStats(others, of))
  const now = new Date(question.now)
  const uses = fitting.map(({ found }) => useOf(found, now, config))
  const usualUse = uses.reduce((sum, use) => sum + use, 0) / (uses.length || 1)
  let read: Words | undefined
  const words = () => {
    read ??= readWords(query)
    return read
  }
  const { preferredProject } = question
  const circumstances = { config, standings, words, now, usualUse, preferredProject }
  return {
    candidates: fitting
      .map((one) => weigh(one, circumstances))
      .toSorted(byScore)
      .map((one) => toCandidate(one, { explain: question.explain, characters })),
    method: scored.some(({ source }) => source === 'vector' || source === 'hybrid')
      ? 'hybrid'
      : 'keyword',
    degradation: linked ? degradation : without('graph', degradation),
    mayHaveMore: isFull && scored.every(fits),
  }
}

async function searchDirect(needs: FindNeeds, question: Question, request: SearchRequest) {
  const indexed = await searchIndex(needs, question, request)
  if ('scored' in indexed) {
    const { scored, isFull, withoutVectors: cause } = indexed
    return { scored, isFull, degradation: cause ? { stages: ['vectors'], cause } : undefined }
  }
  const scored = await question.stopwatch.measure('words', () =>
    searchWords(needs.memory.search, question, request),
  )
  const degradation = { stages: ['index', 'vectors'], cause: indexed.cause }
  return { scored, isFull: scored.length >= request.limit, degradation }
}

function without(stage: string, degradation: Degradation | undefined): Degradation {
  const { stages = [], cause = `${stage}_unavailable` } = degradation ?? {}
  return { stages: [...stages, stage], cause }
}

interface Shown {
  readonly explain: boolean
  readonly characters: number
}

function toCandidate(
  { found, score, source, stages }: Scored,
  { explain, characters }: Shown,
): Candidate {
  const { memory } = found
  const row = toRow(memory, { score, source, characters })
  return { memory, row: explain ? { ...row, explain: { stages } } : row }
}

function byScore(a: Scored, b: Scored): number {
  if (a.score !== b.score) return b.score - a.score
  const [one, other] = [a.found.memory, b.found.memory]
  return other.createdAt.localeCompare(one.createdAt) || one.id.localeCompare(other.id)
}
