import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { TelemetryRuntime } from './runtime.ts'
import type { Search } from './search.ts'
import { type EventFilter, type EventRow, listEvents } from './store/events.ts'
import type { TelemetryEvent } from './store/rows.ts'
import { listSearches, type SearchFilter } from './store/searches.ts'

interface EventsRequest extends Omit<EventFilter, 'agentId'> {
  readonly limit: number
}

/** Small enough not to block the event loop. */
const eventPageSize = 500

/** Lists events, newest first; undefined while recording is off. */
export async function readEvents(
  { db, recorder, flush }: TelemetryRuntime,
  caller: Caller,
  { limit, ...filter }: EventsRequest,
): Promise<readonly TelemetryEvent[] | undefined> {
  if (!recorder.isOn()) return undefined
  await flush()
  const visible = toVisibleFilter(caller, filter)
  const rows = visible ? await listEvents(db, visible, { limit, order: 'desc' }) : []
  return rows.map(withoutAgent)
}

function withoutAgent({ agentId: _, ...event }: EventRow): TelemetryEvent {
  return event
}

/** Streams pages of events, oldest first. */
export function exportEvents(
  runtime: TelemetryRuntime,
  caller: Caller,
  request: EventsRequest,
): AsyncGenerator<readonly TelemetryEvent[]> {
  if (!runtime.recorder.isOn())
    throw new Refusal('not_found', 'telemetry_disabled', 'telemetry not enabled')
  const pages = pageEvents(runtime, caller, { ...request, order: 'asc' })
  return (async function* () {
    for await (const page of pages) yield page.map(withoutAgent)
  })()
}

/** Streams pages of events that the caller may read. */
export async function* pageEvents(
  { db, flush }: Pick<TelemetryRuntime, 'db' | 'flush'>,
  caller: Caller,
  { limit, order, ...filter }: EventsRequest & { readonly order: 'asc' | 'desc' },
): AsyncGenerator<readonly EventRow[]> {
  await flush()
  const visible = toVisibleFilter(caller, filter)
  if (!visible) return
  let after: TelemetryEvent | undefined
  for (let left = limit; left > 0; left -= eventPageSize) {
    const size = Math.min(eventPageSize, left)
    const events = await listEvents(db, visible, { limit: size, order, after })
    yield events
    if (events.length < size) return
    after = events.at(-1)
  }
}

/** An agent scope sees the agent's events; a project scope sees none, because events have no project. */
function toVisibleFilter(
  { scope }: Caller,
  filter: Omit<EventFilter, 'agentId'>,
): EventFilter | undefined {
  return scope.project === undefined ? { ...filter, agentId: scope.agent } : undefined
}

export interface ListRequest extends Omit<SearchFilter, 'agentId' | 'project'> {
  /** Whether the request names an agent; otherwise all visible agents are listed. */
  readonly isNamed: boolean
  readonly limit: number
  readonly offset: number
}

/** Small enough, with all results, not to block the event loop. */
const searchPageSize = 50

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
  for (let left = limit; left > 0; left -= searchPageSize) {
    const size = Math.min(searchPageSize, left)
    const page = { limit: size, offset: after ? 0 : offset, after }
    const searches = await listSearches(db, visible, page)
    yield searches
    if (searches.length < size) return
    after = searches.at(-1)
  }
}

/** Reads the first page, so that its errors become an error reply. */
export async function readFirstPage<Page>(
  pages: AsyncGenerator<Page>,
): Promise<AsyncIterable<Page>> {
  const first = await pages.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* pages
  })()
}
