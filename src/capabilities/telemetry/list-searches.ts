import type { Caller } from '../../kernel/auth/caller.ts'
import type { TelemetryRuntime } from './runtime.ts'
import type { Search } from './search.ts'
import { listSearches, type SearchFilter } from './store/searches.ts'

export interface ListRequest extends Omit<SearchFilter, 'agentId' | 'project'> {
  /** Whether an agent was named: else those of all that the caller may see. */
  readonly isNamed: boolean
  readonly limit: number
  readonly offset: number
}

/** With all their results, that are read and written without the event loop noticing. */
const readAtOnce = 50

/** The latest first, a page after the other; nothing while it is switched off. */
export async function* readSearches(
  { db, ledger, settled }: TelemetryRuntime,
  { agentId, scope }: Caller,
  { isNamed, limit, offset, ...filter }: ListRequest,
): AsyncGenerator<readonly Search[]> {
  if (!ledger.isOn()) return
  await settled()
  const isOfOne = isNamed || scope.agent !== undefined
  const wanted = { ...filter, agentId: isOfOne ? agentId : undefined, project: scope.project }
  let after: Search | undefined
  for (let left = limit; left > 0; left -= readAtOnce) {
    const size = Math.min(readAtOnce, left)
    const page = { limit: size, offset: after ? 0 : offset, after }
    const searches = await listSearches(db, wanted, page)
    yield searches
    if (searches.length < size) return
    after = searches.at(-1)
  }
}
