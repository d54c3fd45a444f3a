import { isOfOwnAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'

interface GraphEvent {
  readonly agentId: string
  readonly proposalIds: readonly string[]
}

/** Operations changed the graph of an agent. */
export const knowledgeChanged = defineEvent<GraphEvent & { readonly batchId: string }>(
  'knowledge.changed',
  {
    stream: {
      toPublic: ({ agentId, batchId, proposalIds }) => ({ agentId, id: batchId, proposalIds }),
      isVisible: isOfOwnAgent,
    },
  },
)

/** New proposals wait for review. */
export const ontologyProposed = defineEvent<GraphEvent>('ontology.proposed', {
  stream: {
    toPublic: ({ agentId, proposalIds }) => ({ agentId, proposalIds }),
    isVisible: isOfOwnAgent,
  },
})
