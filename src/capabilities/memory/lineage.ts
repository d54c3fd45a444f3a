import type { Caller } from '../../kernel/auth/caller.ts'
import { mayRead } from '../../kernel/auth/read-scope.ts'
import type { Memory } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import { listLinked } from './store/lists.ts'

/** Bounds the walk through a chain. */
const maxChainLength = 2_000

/**
 * Lists the memories that a memory superseded and that superseded it, newest first.
 * An unreadable memory gives the same empty reply as an unknown id.
 */
export async function readLineage(
  needs: MemoryNeeds,
  caller: Caller,
  { id, limit }: { readonly id: string; readonly limit: number },
): Promise<Memory[]> {
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  const chain = await collectChain(needs, id)
  const start = chain.get(id)
  if (!start || !mayRead(scope, start)) return []
  return [...chain.values()]
    .filter((memory) => memory.deletedAt === null && mayRead(scope, memory))
    .toSorted(newestFirst)
    .slice(0, limit)
}

/** Walks in both directions and visits each row once, so a cycle ends. */
async function collectChain({ db }: MemoryNeeds, id: string): Promise<Map<string, Memory>> {
  const chain = new Map<string, Memory>()
  let next = [id]
  while (next.length > 0 && chain.size < maxChainLength) {
    const newMemories = (await listLinked(db, next)).filter((memory) => !chain.has(memory.id))
    for (const memory of newMemories) chain.set(memory.id, memory)
    next = newMemories.flatMap(({ id, supersededBy }) => (supersededBy ? [id, supersededBy] : [id]))
  }
  return chain
}

function newestFirst(a: Memory, b: Memory): number {
  return b.createdAt.localeCompare(a.createdAt) || b.version - a.version
}
