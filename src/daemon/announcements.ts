import type { EmbeddingsEvents } from '../capabilities/embeddings/index.ts'
import type { HooksEvents } from '../capabilities/hooks/index.ts'
import type { MemoryEvents } from '../capabilities/memory/index.ts'
import type { RecallEvents } from '../capabilities/recall/index.ts'
import type { ConfigEvents } from '../kernel/config/live-config.ts'
import { createEvents } from '../kernel/events/events.ts'
import type { Log } from '../kernel/log/log.ts'

type Catalogue = ConfigEvents & EmbeddingsEvents & HooksEvents & MemoryEvents & RecallEvents

interface Announced {
  onChange(listener: (change: ConfigEvents['config.changed']) => void): void
}

/** All that is announced in this service; some of it is told by the log. */
export function createAnnouncements(log: Log, config: Announced) {
  const events = createEvents<Catalogue>((error) => log.error({ err: error }, 'listener fault'))
  config.onChange((change) => events.emit('config.changed', change))
  events.on('config.changed', (change) => log.info(change, 'the settings have changed'))
  events.on('memory.saved', (saved) => log.debug(saved, 'memory saved'))
  events.on('embeddings.promoted', (promoted) =>
    log.info(promoted, 'this model answers from now on'),
  )
  return events
}
