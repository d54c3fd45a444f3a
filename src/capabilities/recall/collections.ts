import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import { callMembers } from '../../kernel/capability/extension-point.ts'
import type { EngineAnswer } from '../../search/index.ts'
import { rankAnswers } from './answers/rank-answers.ts'
import type { CollectionRow, RecallNeeds, SearchCollection } from './needs.ts'
import type { ResultRow } from './replies.ts'
import { type Candidate, toExternalRow } from './result.ts'
import type { RecallRequest } from './schemas.ts'

type CollectionNeeds = Pick<RecallNeeds, 'collections' | 'config' | 'embeddings' | 'log' | 'memory'>

export interface CollectionQuery {
  readonly request: RecallRequest
  readonly readScope: ReadScope
  /** The query without phrases that select a time. */
  readonly searchText: string
  /** The time of the question, ISO. */
  readonly now: string
  readonly limit: number
}

/** Searches the collections that are not memory, best first. Empty for a request that names memories. */
export async function searchCollections(
  needs: CollectionNeeds,
  query: CollectionQuery,
): Promise<readonly Candidate[]> {
  const { collections, embeddings, log } = needs
  const isWanted = query.request.sources !== false && !namesMemories(query.request)
  const ready = isWanted
    ? collections.list().filter(({ engine }) => engine.health().state === 'ready')
    : []
  const filled = ready.filter((collection) => !collection.isEmpty())
  if (filled.length === 0) return []
  const embedding = await embeddings.embedQuery(query.searchText)
  const vector = embedding?.vector && { ...embedding, values: embedding.vector }
  const found = await callMembers(
    { name: 'recall.collections', list: () => filled },
    log,
    (collection) => searchCollection(needs, collection, { ...query, vector }),
  )
  return found.flat().toSorted((a, b) => b.row.score - a.row.score)
}

/** Texts of sources lack the fields of these filters. */
function namesMemories(request: RecallRequest): boolean {
  const { type, who, tags, pinned, importanceMin, scope, within, asOf, keywordQuery, project } =
    request
  const filters = [type, who, pinned, importanceMin, asOf, keywordQuery, project]
  const isFiltered = filters.some((filter) => filter !== undefined) || tags.length > 0
  return isFiltered || scope !== null || within === 'session' || request.aggregate
}

type Vector = Parameters<SearchCollection['engine']['search']>[0]['vector']

async function searchCollection(
  { config, memory }: CollectionNeeds,
  { engine, listRows }: SearchCollection,
  {
    request,
    readScope,
    searchText,
    now,
    limit,
    vector,
  }: CollectionQuery & { readonly vector: Vector },
): Promise<readonly Candidate[]> {
  const { alpha, min_score: minScore, min_confidence: floor, source_weight: weight } = config()
  const { since, until } = request
  const filters = { scope: null, agentId: readScope.agentId, since, until }
  const explain = request.explain
  const answer = await engine.search({
    text: searchText,
    vector,
    readScope,
    filters,
    alpha,
    limit,
    now,
    explain,
  })
  const ids = answer.candidates.map(({ id }) => id)
  const rows = new Map((await listRows(readScope, ids)).map((row) => [row.id, row]))
  const hits = answer.candidates.flatMap((candidate) => {
    const row = rows.get(candidate.id)
    return row && candidate.score >= minScore ? [toHit(candidate, row)] : []
  })
  const { corrections = [] } = answer
  const vectorKind = vector?.kind ?? 'static'
  const question = { query: request.query, range: undefined, corrections, vectorKind }
  const answers = rankAnswers(hits, question)
  // Without a confident row the collection has no answer.
  if (!answers.some(({ confidence }) => confidence >= floor)) return []
  const { minConfidence = 0 } = request
  return answers
    .filter(({ confidence }) => confidence >= minConfidence)
    .map(({ hit, score, confidence, stages }): Candidate => {
      const shown = { score: score * weight, confidence, characters: memory.shownCharacters() }
      const row: ResultRow = toExternalRow(hit.row, shown)
      const weighed = { name: 'source weight', score: row.score, reason: `times ${weight}` }
      const all = [...hit.stages, ...stages, weighed]
      return { memory: undefined, row: explain ? { ...row, explain: { stages: all } } : row }
    })
}

function toHit(
  { score, evidence, stages = [] }: EngineAnswer['candidates'][number],
  row: CollectionRow,
) {
  const { content, agentId, createdAt } = row
  return {
    content: `${row.heading}\n${content}`,
    who: '',
    agentId,
    project: null,
    createdAt,
    score,
    isTurn: false,
    evidence,
    row,
    stages,
  }
}

/**
 * Merges text of sources into memories by score. At least half of the places belong to memories,
 * where there are that many.
 */
export function mergeExternal(
  memories: readonly Candidate[],
  external: readonly Candidate[],
  { limit, sources }: { readonly limit: number; readonly sources: boolean | undefined },
): readonly Candidate[] {
  if (external.length === 0) return memories
  const reserved = sources ? 0 : Math.min(memories.length, Math.ceil(limit / 2))
  const merged: Candidate[] = []
  const [left, right] = [[...memories], [...external]]
  const placesForExternal = limit - reserved
  let used = 0
  while (left.length > 0 || right.length > 0) {
    const [memory, text] = [left[0], right[0]]
    const isFull = used >= placesForExternal && memory !== undefined && merged.length < limit
    const isBetter = text && (!memory || text.row.score > memory.row.score)
    if (isBetter && !isFull) {
      merged.push(text)
      right.shift()
      used += 1
    } else if (memory) {
      merged.push(memory)
      left.shift()
    }
  }
  return merged
}
