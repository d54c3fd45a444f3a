import type { Caller } from '../../kernel/auth/caller.ts'
import { mayRead } from '../../kernel/auth/read-scope.ts'
import type { MemoryNeeds } from './needs.ts'
import { listByIds } from './store/lists.ts'

/** Summaries of memories that other records reference. Includes deleted ones; excludes unreadable ones. */
export async function readLinked(
  { db, agents }: Pick<MemoryNeeds, 'db' | 'agents'>,
  caller: Caller,
  ids: readonly string[],
) {
  if (ids.length === 0) return []
  const scope = await agents.readScopeOf(db, caller)
  const memories = (await listByIds(db, ids)).filter((memory) => mayRead(scope, memory))
  return memories.map(({ id, content, type, createdAt, deletedAt, supersededBy }) => ({
    id,
    content,
    type,
    createdAt,
    deleted: deletedAt !== null,
    superseded: supersededBy !== null,
  }))
}
