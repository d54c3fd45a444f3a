import { z } from 'zod'
import * as graph from '../knowledge/index.ts'

const nullable = z.string().nullable()
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
const record = z.record(z.string(), z.unknown())

export const proposalReply = z.object({
  id: z.string(),
  agentId: z.string(),
  operation: z.string(),
  status: z.enum(['pending', 'applied', 'rejected', 'failed']),
  payload: record,
  confidence: z.number(),
  rationale: z.string(),
  evidence: list(z.unknown()),
  risk: nullable,
  sourceKind: nullable,
  sourceId: nullable,
  sourcePath: nullable,
  sourceRoot: nullable,
  createdBy: nullable,
  appliedBy: nullable,
  rejectedBy: nullable,
  result: record.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  appliedAt: nullable,
  rejectedAt: nullable,
  batchId: nullable,
  undoneBy: nullable,
})
const change = z.object({
  table: z.string(),
  rowId: z.string(),
  before: record.nullable(),
  after: record.nullable(),
})
/** Of a dry run: what would change. */
export const appliedReply = proposalReply.partial().extend({
  dryRun: z.boolean().optional(),
  changes: list(change).optional(),
})
export const listedProposals = z.object({
  items: list(proposalReply),
  limit: z.int(),
  offset: z.int(),
})
export const createdProposals = z.object({ items: list(proposalReply), count: z.int() })
export const batchReply = z.object({
  ok: z.boolean(),
  batchId: nullable,
  dryRun: z.boolean().optional(),
  items: list(z.unknown()),
})
export const undoReply = z.object({
  id: z.string(),
  undoneIds: list(z.string()),
  dryRun: z.boolean(),
  changes: list(change).optional(),
})
const evidenceItem = z.object({
  kind: z.enum([
    'ontology_proposal',
    'memory_artifact',
    'session_transcript',
    'memory',
    'session_summary',
    'provided_quote',
    'unresolved',
  ]),
  found: z.boolean(),
  sourceKind: nullable,
  sourceId: nullable,
  sourcePath: nullable,
  label: z.string(),
  excerpt: z.string(),
  reference: z.unknown(),
})
export const evidenceReply = z.object({
  proposal: proposalReply,
  items: list(evidenceItem),
  count: z.int(),
})
/** A citation of the graph with the words of its source. */
const citedItem = evidenceItem.extend({
  sourceKind: z.string(),
  sourceId: z.string(),
  quote: z.string(),
  sourceTime: z.string(),
  proposalId: nullable,
})
const claimEvidence = graph.claimEvidenceReply.shape.items.element
export const claimEvidenceReply = graph.claimEvidenceReply.extend({
  items: z.array(claimEvidence.extend({ evidence: z.array(citedItem) })),
})
export const linkEvidenceReply = graph.linkEvidenceReply.extend({ items: z.array(citedItem) })
export const conflictsReply = z.object({
  items: list(
    z.object({
      entity: z.string(),
      aspect: z.string(),
      groupKey: z.string(),
      claimKey: z.string(),
      values: list(
        z.object({
          proposalId: z.string(),
          value: z.string(),
          confidence: z.number(),
          rationale: z.string(),
          evidenceCount: z.int(),
        }),
      ),
      proposalIds: list(z.string()),
      count: z.int(),
    }),
  ),
  count: z.int(),
})
export const repairReply = z.object({
  items: list(record),
  proposals: list(proposalReply),
  count: z.int(),
  writtenCount: z.int(),
  skippedCount: z.int(),
  dryRun: z.boolean(),
})
export const planReply = record
const aliasReply = z.object({
  id: z.string(),
  entityId: z.string(),
  agentId: z.string(),
  alias: z.string(),
  canonicalAlias: z.string(),
  confidence: z.number(),
  source: z.string(),
  status: z.enum(['active', 'archived']),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export const aliasItem = z.object({ item: aliasReply })
export const aliasItems = z.object({ items: list(aliasReply) })
export const splitReply = z.object({ entity: record, moved: record, dryRun: z.boolean() })
export const resultReply = record
export const contradictionsReply = z.object({
  items: list(
    z.object({
      id: z.string(),
      agentId: z.string(),
      attributeId: z.string(),
      otherId: z.string(),
      entityName: z.string(),
      /** Group and key of the value. */
      slot: z.string(),
      content: z.string(),
      otherContent: z.string(),
      reason: z.enum(['negation_mismatch', 'antonym_conflict']),
      overlap: z.int(),
      status: z.enum(['open', 'reconciled']),
      createdAt: z.string(),
      reconciledAt: nullable,
    }),
  ),
  count: z.int(),
})
