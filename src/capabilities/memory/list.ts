import type { Caller } from '../../kernel/auth/caller.ts'
import type { Memory } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import { countListable, listListable } from './store/lists.ts'

export interface Page {
  readonly limit: number
  readonly offset: number
  /** Left out, all types; the stats count all of them in each case. */
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
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  const [memories, counts] = await Promise.all([
    listListable(needs.db, scope, page),
    countListable(needs.db, scope, needs.embeddings.hasVector),
  ])
  const { total, critical, embedded: withEmbeddings } = counts
  return { memories, stats: { total, withEmbeddings, critical } }
}
