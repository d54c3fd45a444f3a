import type { Caller } from '../../kernel/auth/caller.ts'
import type { Memory } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import type { Namespace } from './store/filter.ts'
import { countListable, listListable } from './store/lists.ts'

export interface Page extends Namespace {
  readonly limit: number
  readonly offset: number
  /** Left out, all types; the stats count all of them in each case, but of one namespace. */
  readonly type?: string | undefined
}

export interface Listed {
  readonly memories: readonly Memory[]
  readonly stats: {
    readonly total: number
    readonly withEmbeddings: number
    readonly critical: number
  }
}

/** What the caller may see and holds now, newest first. */
export async function listMemories(
  needs: MemoryNeeds,
  caller: Caller,
  page: Page,
): Promise<Listed> {
  const readScope = await needs.agents.readScopeOf(needs.db, caller)
  const { scope, allScopes } = page
  const { hasVector } = needs.embeddings
  const [memories, counts] = await Promise.all([
    listListable(needs.db, readScope, page),
    countListable(needs.db, readScope, { scope, allScopes, hasVector }),
  ])
  const { total, critical, embedded: withEmbeddings } = counts
  return { memories, stats: { total, withEmbeddings, critical } }
}
