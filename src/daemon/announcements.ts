import { embeddingsPromoted } from '../capabilities/embeddings/index.ts'
import { memorySaved } from '../capabilities/memory/index.ts'
import { createEvents, type Events } from '../kernel/events/events.ts'
import type { Log } from '../kernel/log/log.ts'

/** The event bus of the daemon, with the events that the log shows. */
export function createAnnouncements(log: Log): Events {
  const events = createEvents((error) => log.error({ err: error }, 'event listener failed'))
  events.on(memorySaved, (event) => log.debug(event, 'memory saved'))
  events.on(embeddingsPromoted, (event) => log.info(event, 'embedding model promoted'))
  return events
}
