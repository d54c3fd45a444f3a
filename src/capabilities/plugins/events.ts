import { isForAdmin } from '../../kernel/events/event-audience.ts'
import { defineEvent, type Events } from '../../kernel/events/events.ts'
import type { AuditEntry } from './audit/audit-event.ts'

interface PluginChange {
  readonly pluginId: string
}

const stream = {
  toPublic: ({ pluginId }: PluginChange) => ({ pluginId }),
  isVisible: isForAdmin,
}

const changes = [
  defineEvent<PluginChange>('plugin.discovered', { stream }),
  defineEvent<PluginChange>('plugin.enabled', { stream }),
  defineEvent<PluginChange>('plugin.disabled', { stream }),
  defineEvent<PluginChange>('plugin.blocked', { stream }),
  defineEvent<PluginChange>('plugin.degraded', { stream }),
  defineEvent<PluginChange>('plugin.grants_changed', { stream }),
]

/** Emits what programs may follow of an audited change. */
export function emitChange(
  events: Pick<Events, 'emit'>,
  { event, pluginId }: Pick<AuditEntry, 'event' | 'pluginId'>,
): void {
  const type = changes.find(({ name }) => name === event)
  if (type) events.emit(type, { pluginId })
}
