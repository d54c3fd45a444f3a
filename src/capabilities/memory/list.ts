import type { Caller } from '../../kernel/auth/caller.ts'
import type { MemoryNeeds } from './needs.ts'
import { type ListStats, readListStats } from './store/counts.ts'
import { type ListPage, listByIdPrefix, listListable } from './store/lists.ts'
import type { ListedMemory } from './store/rows.ts'

/** Filters apply to the page only. The stats count all memories of the namespace. */
export interface ListRequest extends ListPage {
  readonly idPrefix?: string | undefined
  /** Ignored without an id prefix. */
  readonly includeDeleted?: boolean | undefined
}

export interface ListResult {
  readonly memories: readonly ListedMemory[]
  readonly stats: ListStats
}

/** Lists current memories that the caller may read: newest first, or by id with a prefix. */
export async function listMemories(
  needs: MemoryNeeds,
  caller: Caller,
  page: ListRequest,
): Promise<ListResult> {
  const readScope = await needs.agents.readScopeOf(needs.db, caller)
  const { idPrefix, includeDeleted, ...listPage } = page
  const { scope, allScopes } = listPage
  const identity = needs.embeddings.activeIdentity()
  const [memories, stats] = await Promise.all([
    idPrefix === undefined
      ? listListable(needs.db, readScope, listPage)
      : listByIdPrefix(needs.db, readScope, { ...listPage, idPrefix, includeDeleted }),
    readListStats(needs.db, readScope, { scope, allScopes, identity }),
  ])
  return { memories, stats }
}
