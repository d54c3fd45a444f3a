import type { Caller } from '../../kernel/auth/caller.ts'
import type { Memory } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import { countListable, type ListPage, listByIdPrefix, listListable } from './store/lists.ts'

/** Filters apply to the page only. The stats count all memories of the namespace. */
export interface ListRequest extends ListPage {
  readonly idPrefix?: string | undefined
  /** Ignored without an id prefix. */
  readonly includeDeleted?: boolean | undefined
}

export interface ListResult {
  readonly memories: readonly Memory[]
  readonly stats: {
    readonly total: number
    readonly withEmbeddings: number
    readonly critical: number
  }
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
  const { hasVector } = needs.embeddings
  const [memories, counts] = await Promise.all([
    idPrefix === undefined
      ? listListable(needs.db, readScope, listPage)
      : listByIdPrefix(needs.db, readScope, { ...listPage, idPrefix, includeDeleted }),
    countListable(needs.db, readScope, { scope, allScopes, hasVector }),
  ])
  const { total, critical, embedded: withEmbeddings } = counts
  return { memories, stats: { total, withEmbeddings, critical } }
}
