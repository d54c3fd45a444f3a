import type { StreamedEvent } from '../../kernel/events/events.ts'
import { Feed } from '../../kernel/feed/feed.ts'
import type { TimedEvent } from './follow-events.ts'
import type { EventsNeeds } from './needs.ts'
import { eventsRoutes } from './routes.ts'

export const eventsModule = { name: 'events' } as const

const retainedEvents = 1_000
/** Events of this time are sent together, so that many listeners do not slow a series of writes. */
const gatherMs = 50

export function createEventStream(needs: EventsNeeds) {
  const { events, host } = needs
  const life = host.now().getTime().toString(36)
  const feed = new Feed<TimedEvent>({
    size: retainedEvents,
    life,
    gather: () => host.sleep(gatherMs),
  })
  events.onStreamed((event: StreamedEvent) => {
    feed.add({ event, timestamp: host.now().toISOString() })
  })
  return { routes: eventsRoutes({ ...needs, feed }) }
}
