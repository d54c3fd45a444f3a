import type { Caller } from '../../kernel/auth/caller.ts'
import { chooseRanking } from './expression.ts'
import type { MemoryNeeds } from './needs.ts'
import { selectFiltered } from './store/candidates.ts'
import type { MemoryFilter } from './store/filter.ts'
import { searchText } from './store/text-search.ts'

export interface ForgetSelection {
  readonly query: string | undefined
  readonly filter: MemoryFilter
  readonly limit: number
}

export interface ForgetCandidate {
  readonly id: string
  /** Relevance with three decimals. 0 without a query. */
  readonly score: number
  readonly pinned: boolean
  readonly version: number
}

/** Lists readable memories of a selection, up to its limit. */
export async function selectCandidates(
  needs: MemoryNeeds,
  caller: Caller,
  { query, filter, limit }: ForgetSelection,
): Promise<ForgetCandidate[]> {
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  if (query !== undefined) {
    const hits = await searchText(needs.db, scope, {
      expression: query,
      ranking: chooseRanking(query),
      filter,
      limit,
    })
    return hits.map(({ memory, weight }) => toCandidate(memory, toScore(weight)))
  }
  const memories = await selectFiltered(needs.db, scope, { filter, limit })
  return memories.map((memory) => toCandidate(memory, 0))
}

function toCandidate(
  { id, pinned, version }: Omit<ForgetCandidate, 'score'>,
  score: number,
): ForgetCandidate {
  return { id, score, pinned, version }
}

/** 0 for unranked hits. */
function toScore(weight: number): number {
  return weight === 0 ? 0 : Math.round(1000 / (1 + Math.abs(weight))) / 1000
}
