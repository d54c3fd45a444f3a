import { isOfOwnAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { DocumentStatus } from './document.ts'

/** A document was added, reached another status, or was deleted. */
export const documentChanged = defineEvent<{
  readonly id: string
  readonly agentId: string
  readonly project: string | null
  readonly status: DocumentStatus
}>('document.changed', {
  stream: {
    toPublic: ({ agentId, id, status }) => ({ agentId, id, status }),
    isVisible: isOfOwnAgent,
  },
})
