import type { Caller } from '../../kernel/auth/caller.ts'
import type { TelemetryRuntime } from './runtime.ts'
import type { Search } from './search.ts'
import { listSearches, type SearchFilter } from './store/searches.ts'

export interface ListRequest extends Omit<SearchFilter, 'agentId' | 'project'> {
  /** Whether the request names an agent; otherwise all visible agents are listed. */
  readonly isNamed: boolean
  readonly limit: number
  readonly offset: number
}

/** Small enough, with all results, not to block the event loop. */
const pageSize = 50

/** Streams pages of searches, latest first; empty while recording is off. */
export async function* readSearches(
  { db, searchLog, flush }: TelemetryRuntime,
  { agentId, scope }: Caller,
  { isNamed, limit, offset, ...filter }: ListRequest,
): AsyncGenerator<readonly Search[]> {
  if (!searchLog.isOn()) return
  await flush()
  const isOneAgent = isNamed || scope.agent !== undefined
  const visible = { ...filter, agentId: isOneAgent ? agentId : undefined, project: scope.project }
  let after: Search | undefined
  for (let left = limit; left > 0; left -= pageSize) {
    const size = Math.min(pageSize, left)
    const page = { limit: size, offset: after ? 0 : offset, after }
    const searches = await listSearches(db, visible, page)
    yield searches
    if (searches.length < size) return
    after = searches.at(-1)
  }
}
