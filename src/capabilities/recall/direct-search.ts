import { readContentTerms } from '../../search/index.ts'
import type { SearchRequest } from '../memory/index.ts'
import { type RecallQuery, searchEngine } from './engine-search.ts'
import { type Scored, searchTextIndex } from './lexical-search.ts'
import type { RecallNeeds } from './needs.ts'
import type { Degradation } from './replies.ts'

export type DirectSearchNeeds = Pick<
  RecallNeeds,
  'memory' | 'config' | 'engine' | 'embeddings' | 'log'
>

/** Searches the engine, or the text index of the database while the engine is unavailable. */
export async function searchDirect(
  needs: DirectSearchNeeds,
  question: RecallQuery,
  request: SearchRequest,
) {
  const result = await searchEngine(needs, question, request)
  if ('scored' in result) {
    const { withoutVectors, withoutSpelling, ...answer } = result
    const spelling = withoutSpelling ? addMissingStage('spelling', undefined) : undefined
    const degradation = withoutVectors
      ? { stages: ['vectors', ...(spelling?.stages ?? [])], cause: withoutVectors }
      : spelling
    return { ...answer, degradation }
  }
  const scored = await question.stopwatch.measure('words', () =>
    searchTextIndex(needs.memory.search, question, request),
  )
  const degradation = { stages: ['index', 'vectors'], cause: result.cause }
  const isFull = scored.length >= request.limit
  const defaults = { corrections: [], translations: [], vectorKind: 'static' } as const
  return { scored, isFull, degradation, ...defaults }
}

/** Searches the time that the query names, so that its hits are among the candidates. */
export async function searchRange(
  needs: DirectSearchNeeds,
  question: RecallQuery,
  request: SearchRequest,
): Promise<readonly Scored[]> {
  const { range } = question
  const { since, until, during } = request.filters
  if (!range || since || until || during) return []
  const before = range.end && new Date(Date.parse(range.end) - 1).toISOString()
  const filters = { ...request.filters, since: range.start, until: before }
  const { scored } = await searchDirect(needs, question, { ...request, filters })
  if (readContentTerms(range.rest).length > 0) return scored
  return [...scored, ...(await listRange(needs, question, { ...request, filters }))]
}

const listedScore = 0.5

/** A question that names only a time is about all that is from it. */
async function listRange(
  { memory: { search } }: DirectSearchNeeds,
  { now }: RecallQuery,
  request: SearchRequest,
): Promise<readonly Scored[]> {
  const found = await search.rankByDecayedImportance(request, new Date(now))
  return found.map((one) => ({ found: one, score: listedScore, source: 'keyword', stages: [] }))
}

/** Each memory once, with the higher score. */
export function mergeBest(direct: readonly Scored[], others: readonly Scored[]): readonly Scored[] {
  if (others.length === 0) return direct
  const best = new Map(direct.map((hit) => [hit.found.memory.id, hit]))
  for (const hit of others) {
    const { id } = hit.found.memory
    if (hit.score > (best.get(id)?.score ?? 0)) best.set(id, hit)
  }
  return [...best.values()]
}

export function addMissingStage(stage: string, degradation: Degradation | undefined): Degradation {
  const { stages = [], cause = `${stage}_unavailable` } = degradation ?? {}
  return { stages: [...stages, stage], cause }
}
