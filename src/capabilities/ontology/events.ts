import { defineEvent } from '../../kernel/events/events.ts'

/** Operations changed the graph of an agent. */
export const knowledgeChanged = defineEvent<{
  readonly agentId: string
  readonly batchId: string
  readonly proposalIds: readonly string[]
}>('knowledge.changed')

/** New proposals wait for review. */
export const ontologyProposed = defineEvent<{
  readonly agentId: string
  readonly proposalIds: readonly string[]
}>('ontology.proposed')
