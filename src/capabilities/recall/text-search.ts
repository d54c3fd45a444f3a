import type { Caller } from '../../kernel/auth/caller.ts'
import type { Found, SearchRequest } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import type { TextSearchQuery } from './schemas.ts'

interface TextResult {
  readonly id: string
  readonly content: string
  readonly created_at: string
  readonly who: string
  readonly importance: number
  readonly tags: string | null
  readonly type: string
  readonly pinned: boolean
  readonly score: number
}

export type TextSearched =
  | { readonly results: readonly TextResult[] }
  | { readonly values: readonly string[] }

const mostByWords = 20
const mostByFilter = 50

/** The words in the index's own syntax, or without words what the filters leave. */
export async function searchText(
  { agents, db, memory: { search }, host }: RecallNeeds,
  caller: Caller,
  { q, distinct, limit, filters }: TextSearchQuery,
): Promise<TextSearched> {
  const readScope = await agents.readScopeOf(db, caller)
  const within = (most: number): SearchRequest => ({ readScope, filters, limit: limit ?? most })
  if (distinct) return { values: await search.listSpeakers(within(mostByFilter)) }
  if (q === undefined) {
    if (!search.hasFilter(filters)) return { results: [] }
    const found = await search.listByWorth(within(mostByFilter), host.now())
    return { results: found.map((one) => toResult(one, one.magnitude)) }
  }
  const matched = await search.searchExpression(q, within(mostByWords))
  const found = matched ?? (await search.listContaining(q, within(mostByWords)))
  return { results: found.map((one) => toResult(one, toScore(one.magnitude))) }
}

/** As the contract has it: the less, the better it fits; 0 for what was found without being ranked. */
function toScore(magnitude: number): number {
  return magnitude === 0 ? 0 : 1 / (1 + Math.abs(magnitude))
}

function toResult({ memory }: Found, score: number): TextResult {
  const { id, content, createdAt: created_at, who, importance, tags, type, pinned } = memory
  return {
    ...{ id, content, created_at, who, importance, type, pinned },
    tags: tags.length === 0 ? null : tags.join(','),
    score: Math.round(score * 1000) / 1000,
  }
}
