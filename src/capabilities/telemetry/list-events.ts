import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { TelemetryEvent } from './event.ts'
import type { TelemetryRuntime } from './runtime.ts'
import { type EventFilter, listEvents } from './store/events.ts'

export interface EventsRequest extends Omit<EventFilter, 'agentId'> {
  readonly limit: number
}

/** Small enough not to block the event loop. */
const pageSize = 500

/** Lists events, newest first; undefined while recording is off. */
export async function readEvents(
  { db, recorder, flush }: TelemetryRuntime,
  caller: Caller,
  { limit, ...filter }: EventsRequest,
): Promise<readonly TelemetryEvent[] | undefined> {
  if (!recorder.isOn()) return undefined
  await flush()
  const visible = toVisibleFilter(caller, filter)
  return visible ? listEvents(db, visible, { limit, order: 'desc' }) : []
}

/** Streams pages of events, oldest first. */
export function exportEvents(
  runtime: TelemetryRuntime,
  caller: Caller,
  request: EventsRequest,
): AsyncGenerator<readonly TelemetryEvent[]> {
  if (!runtime.recorder.isOn())
    throw new Refusal('not_found', 'telemetry_disabled', 'telemetry not enabled')
  return pageEvents(runtime, caller, { ...request, order: 'asc' })
}

/** Streams pages of events that the caller may read. */
export async function* pageEvents(
  { db, flush }: Pick<TelemetryRuntime, 'db' | 'flush'>,
  caller: Caller,
  { limit, order, ...filter }: EventsRequest & { readonly order: 'asc' | 'desc' },
): AsyncGenerator<readonly TelemetryEvent[]> {
  await flush()
  const visible = toVisibleFilter(caller, filter)
  if (!visible) return
  let after: TelemetryEvent | undefined
  for (let left = limit; left > 0; left -= pageSize) {
    const size = Math.min(pageSize, left)
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
