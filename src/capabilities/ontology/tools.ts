import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'
import { proposableOperations } from './operations/catalogue.ts'

const text = z.string()

/** MCP tools. None applies a change. */
export const ontologyTools: readonly Tool[] = [
  tool({
    name: 'ontology_propose',
    title: 'Propose a change of the graph',
    effect: 'adds',
    route: 'ontology.propose',
    description:
      'Propose a change of the knowledge graph, with its evidence. A person reviews it; nothing is applied.',
    input: z.object({
      operation: z.enum(proposableOperations).describe('The change'),
      payload: z
        .record(text, z.unknown())
        .describe('Its fields: {"entity", "aspect", "claim_key", "value"} of set_claim_value'),
      evidence: z
        .array(z.record(text, z.unknown()))
        .describe('Sources: {"memory_id", "quote"}, with the exact words')
        .optional(),
      rationale: text.describe('Reason for the change').optional(),
      confidence: z.number().describe('From 0 to 1; default 0.7').optional(),
    }),
    toRouteInput: (body) => ({ body }),
    toText: (reply) => toReceipt(reply as Parameters<typeof toReceipt>[0]),
  }),
]

interface ProposalReply {
  readonly id: string
  readonly operation: string
  readonly risk: string | null
}

function toReceipt({ id, operation, risk }: ProposalReply): string {
  return `Proposed ${operation}${risk === null ? '' : ` (${risk})`}. It waits for review.\nid ${id}`
}
