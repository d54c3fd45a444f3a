import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { TelemetryEvent } from './event.ts'
import type { TelemetryRuntime } from './runtime.ts'
import { type EventFilter, listEvents } from './store/events.ts'

export interface EventsRequest extends Omit<EventFilter, 'agentId'> {
  readonly limit: number
}

/** Read and written without the event loop noticing. */
const readAtOnce = 500

/** The newest first; undefined while nothing is recorded. */
export async function readEvents(
  { db, recorder, settled }: TelemetryRuntime,
  caller: Caller,
  { limit, ...filter }: EventsRequest,
): Promise<readonly TelemetryEvent[] | undefined> {
  if (!recorder.isOn()) return undefined
  await settled()
  const visible = narrow(caller, filter)
  return visible ? listEvents(db, visible, { limit, order: 'desc' }) : []
}

/** The oldest first, a page after the other. */
export function exportEvents(
  runtime: TelemetryRuntime,
  caller: Caller,
  request: EventsRequest,
): AsyncGenerator<readonly TelemetryEvent[]> {
  if (!runtime.recorder.isOn())
    throw new Refusal('not_found', 'telemetry_disabled', 'telemetry not enabled')
  return pageEvents(runtime, caller, { ...request, order: 'asc' })
}

/** What the caller may see, of which no more is held than a page. */
export async function* pageEvents(
  { db, settled }: Pick<TelemetryRuntime, 'db' | 'settled'>,
  caller: Caller,
  { limit, order, ...filter }: EventsRequest & { readonly order: 'asc' | 'desc' },
): AsyncGenerator<readonly TelemetryEvent[]> {
  await settled()
  const visible = narrow(caller, filter)
  if (!visible) return
  let after: TelemetryEvent | undefined
  for (let left = limit; left > 0; left -= readAtOnce) {
    const size = Math.min(readAtOnce, left)
    const events = await listEvents(db, visible, { limit: size, order, after })
    yield events
    if (events.length < size) return
    after = events.at(-1)
  }
}

/** Whoever is confined to an agent sees its events, to a project none: no event tells its project. */
function narrow({ scope }: Caller, filter: Omit<EventFilter, 'agentId'>): EventFilter | undefined {
  return scope.project === undefined ? { ...filter, agentId: scope.agent } : undefined
}
