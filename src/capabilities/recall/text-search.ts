import type { Caller } from '../../kernel/auth/caller.ts'
import type { Found, SearchRequest } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import type { TextResult } from './replies.ts'
import type { TextSearchQuery } from './schemas.ts'

export type TextSearchResult =
  | { readonly results: readonly TextResult[] }
  | { readonly values: readonly string[] }

const maxWordResults = 20
const maxFilterResults = 50

/** Searches an FTS expression, or lists by filters without one. */
export async function searchText(
  { agents, db, memory: { search }, host }: RecallNeeds,
  caller: Caller,
  { q, distinct, limit, filters }: TextSearchQuery,
): Promise<TextSearchResult> {
  const readScope = await agents.readScopeOf(db, caller)
  const toRequest = (defaultLimit: number): SearchRequest => ({
    readScope,
    filters,
    limit: limit ?? defaultLimit,
  })
  if (distinct) return { values: await search.listSpeakers(toRequest(maxFilterResults)) }
  if (q === undefined) {
    if (!search.hasFilter(filters)) return { results: [] }
    const hits = await search.rankByDecayedImportance(toRequest(maxFilterResults), host.now())
    return { results: hits.map((hit) => toResult(hit, hit.magnitude)) }
  }
  const expressionHits = await search.searchExpression(q, toRequest(maxWordResults))
  const hits = expressionHits ?? (await search.listContaining(q, toRequest(maxWordResults)))
  return { results: hits.map((hit) => toResult(hit, toScore(hit.magnitude))) }
}

/** Contract: lower is better; 0 for unranked hits. */
function toScore(magnitude: number): number {
  return magnitude === 0 ? 0 : 1 / (1 + Math.abs(magnitude))
}

function toResult({ memory }: Found, score: number): TextResult {
  const { id, content, createdAt: created_at, who, importance, tags, type, pinned } = memory
  return {
    id,
    content,
    created_at,
    who,
    importance,
    type,
    pinned,
    tags: tags.length === 0 ? null : tags.join(','),
    score: Math.round(score * 1000) / 1000,
  }
}
