import type { Caller } from '../../kernel/auth/caller.ts'
import type { MemoryNeeds } from './needs.ts'
import type { Namespace } from './store/filter.ts'
import { listMostUsed, type MemoryUsage } from './store/usage.ts'

/** Lists the most recalled current memories that the caller may read. */
export async function readMostUsed(
  { db, agents }: MemoryNeeds,
  caller: Caller,
  page: Namespace & { readonly limit: number },
): Promise<MemoryUsage[]> {
  return listMostUsed(db, await agents.readScopeOf(db, caller), page)
}
