import type { Caller } from '../../../kernel/auth/caller.ts'
import { listCited } from '../graph-search.ts'
import type { RecallNeeds } from '../needs.ts'
import type { Candidate } from '../result.ts'

type Needs = Pick<RecallNeeds, 'agents' | 'db' | 'graph' | 'log'>

/** The memories behind the rows. The sources of a derived memory are those that its claim cites. */
export async function listSourceIds(
  needs: Needs,
  caller: Caller,
  candidates: readonly Candidate[],
): Promise<readonly string[]> {
  const memories = candidates.flatMap(({ memory }) => (memory ? [memory] : []))
  const readScope = await needs.agents.readScopeOf(needs.db, caller)
  const cited = await listCited(needs, { readScope }, memories)
  return [...new Set(memories.flatMap(({ id }) => cited.get(id) ?? [id]))]
}
