import { z } from 'zod'
import * as value from '../../../kernel/http/wire-values.ts'
import { assertionReply } from '../assertions/schemas.ts'
import { proposalStatuses } from '../proposal.ts'
import { proposalReply } from '../replies.ts'
import { oneOf } from '../schemas.ts'

export const extractBody = z.object({
  ...value.ignoredAgent,
  from: z
    .string('from is required')
    .regex(
      /^(?:transcript|artifact|source|memory):\S/,
      'from must be transcript:ID, artifact:PATH, source:PATH or memory:ID',
    )
    .max(2000, 'from must have at most 2000 characters')
    .describe('transcript:ID, artifact:PATH, source:PATH or memory:ID.')
    .meta({ examples: ['memory:0198f3a4-0000-7000-8000-000000000000'] }),
  write_proposals: value.flag,
  write_assertions: value.flag,
  created_by: value.cleanText,
  limit: value.integer('limit', { min: 1, max: 500, default: 100 }),
  use_provider: value.flag,
  provider_timeout_ms: value.integer('provider_timeout_ms', {
    min: 1000,
    max: 600_000,
    default: 90_000,
  }),
  provider_max_tokens: value.integer('provider_max_tokens', {
    min: 1,
    max: 16_000,
    default: 4096,
  }),
})

const nullable = z.string().nullable()
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
const draft = z.object({
  operation: z.string(),
  payload: z.record(z.string(), z.unknown()),
  confidence: z.number(),
  rationale: z.string(),
  evidence: list(z.unknown()),
  risk: nullable,
})

export const extractReply = z.object({
  source: z.object({
    kind: z.string(),
    id: z.string(),
    sourceKind: z.string(),
    sourceId: z.string(),
    sourcePath: nullable,
    project: nullable,
    harness: nullable,
  }),
  proposals: list(draft),
  items: list(proposalReply),
  assertions: list(z.record(z.string(), z.unknown())),
  assertionItems: list(assertionReply),
  count: z.int(),
  writtenCount: z.int(),
  assertionCount: z.int(),
  writtenAssertionCount: z.int(),
  dryRun: z.boolean(),
  extractionMode: z.enum(['mechanical', 'provider', 'mixed']),
  providerName: nullable,
  questions: list(z.string()),
  warnings: list(z.string()),
})

export const consolidateBody = z.object({
  ...value.ignoredAgent,
  status: oneOf('status', proposalStatuses),
  limit: value.integer('limit', { min: 1, max: 200, default: 50 }),
  write_proposals: value.flag,
  created_by: value.cleanText,
  use_provider: value.flag,
  provider_timeout_ms: value.integer('provider_timeout_ms', {
    min: 1000,
    max: 600_000,
    default: 120_000,
  }),
  provider_max_tokens: value.integer('provider_max_tokens', {
    min: 1,
    max: 16_000,
    default: 4096,
  }),
})

export const consolidateReply = z.object({
  sourceProposalCount: z.int(),
  proposals: list(draft),
  items: list(proposalReply),
  count: z.int(),
  writtenCount: z.int(),
  dryRun: z.boolean(),
  consolidationMode: z.enum(['provider', 'noop']),
  providerName: nullable,
  summary: z.string(),
  rejections: list(z.unknown()),
  conflicts: list(z.unknown()),
  maintenance: list(z.unknown()),
  warnings: list(z.string()),
})
