import { isOfOwnAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { Connector } from './connector.ts'

/** A connector was added or deleted, or its sync began or ended. */
export const connectorChanged = defineEvent<{
  readonly id: string
  readonly agentId: string
  readonly project: string | null
  readonly status: Connector['status'] | 'deleted'
}>('connector.changed', {
  stream: {
    toPublic: ({ agentId, id, status }) => ({ agentId, id, status }),
    isVisible: isOfOwnAgent,
  },
})

/** A sync has ended, and was not cancelled. */
export const connectorSynced = defineEvent<{
  readonly id: string
  readonly agentId: string
  readonly failure: 'sync' | 'auth' | null
  /** Files that became documents, or whose documents have changed. */
  readonly documents: number
}>('connector.synced')
