import type { Caller } from '../../kernel/auth/caller.ts'
import type { MemoryNeeds } from './needs.ts'
import type { Namespace } from './store/filter.ts'
import { listMostUsed, type MemoryUsage } from './store/usage.ts'

/** What was recalled most often of what the caller may see and holds now. */
export async function readMostUsed(
  { db, agents }: MemoryNeeds,
  caller: Caller,
  page: Namespace & { readonly limit: number },
): Promise<MemoryUsage[]> {
  return listMostUsed(db, await agents.readScopeOf(db, caller), page)
}
