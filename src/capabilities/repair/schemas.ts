import { z } from 'zod'
import { repairNames } from './actions.ts'

/** At most 500 rows; a larger number counts as 500. */
const maxBatchSize = 500
const batchSize = z
  .int()
  .min(1)
  .transform((size) => Math.min(size, maxBatchSize))
  .describe(`Rows of one run, at most ${maxBatchSize}.`)
const dryRun = z
  .boolean()
  .default(false)
  .describe('Report what the repair would do, and change nothing.')

const agentId = z.string().optional()

export const sweepBody = z.object({ dryRun })
export const checkBody = z.object({
  dryRun,
  repair: z.boolean().default(false).describe('Rebuild the index if it is damaged.'),
})
export const reembedBody = z.object({
  batchSize: batchSize.default(50),
  dryRun,
  fullSweep: z.boolean().default(false).describe('Run batches for up to 30 seconds.'),
})
export const migrationBody = z.object({
  batchSize: batchSize.default(50),
  dryRun,
  all: z.boolean().default(false).describe('Embed a batch again, whatever its model.'),
  agentId,
})
export const deduplicateBody = z.object({
  batchSize: batchSize.optional(),
  dryRun,
  semanticEnabled: z.boolean().default(false).describe('Merge texts with similar vectors too.'),
  semanticThreshold: z
    .number()
    .min(0.5)
    .max(1)
    .optional()
    .describe('Smallest cosine of two similar texts; default 0.95.'),
  agentId: agentId.describe('Only memories of this agent.'),
  project: z.string().optional().describe('Only memories of this project.'),
  scope: z.string().optional().describe('Only memories of this namespace.'),
  visibility: z.enum(['global', 'private']).optional(),
})
export const relinkBody = z.object({ agentId, batchSize: batchSize.default(500), dryRun })

const resultFields = {
  action: z.string(),
  success: z.boolean(),
  affected: z.int(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  /** The run, which `GET /api/repair/runs/:id` reads; absent for a dry run. */
  runId: z.string().optional(),
}

export const resultReply = z.object(resultFields)
export const failedReply = z.object({ ...resultFields, error: z.string() })
export const deniedReply = z.object({
  ...resultFields,
  error: z.string(),
  code: z.enum(['cooldown', 'hourly_budget', 'policy_denied', 'in_progress']),
  /** When a retry may succeed, in milliseconds since 1970. */
  retryAfter: z.int(),
})

export const migrationReply = z.object({ ...resultFields, totalMatching: z.int() })
export const deduplicateReply = z.object({ ...resultFields, clusters: z.int() })
export const relinkReply = z.object({
  ...resultFields,
  dryRun: z.boolean(),
  processed: z.int(),
  linked: z.int(),
  entities: z.int(),
  aspects: z.int(),
  attributes: z.int(),
  remaining: z.int(),
  projectedRemaining: z.int().optional(),
})

const runReply = z.object({
  id: z.string(),
  name: z.string(),
  action: z.string(),
  state: z.enum(['running', 'succeeded', 'failed', 'interrupted']),
  affected: z.int(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  /** Whether the next run with the same input continues. */
  isComplete: z.boolean(),
  actor: z.string(),
  actorType: z.string(),
  reason: z.string(),
  requestId: z.string(),
  agentId: z.string(),
  startedAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().nullable(),
})

export const runsQuery = z.object({
  name: z.enum(repairNames as [string, ...string[]]).optional(),
  state: z.enum(['running', 'succeeded', 'failed', 'interrupted']).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().optional().describe('`nextCursor` of the previous page.'),
})
export const runsReply = z.object({ runs: z.array(runReply), nextCursor: z.string().nullable() })
export const runParams = z.object({ id: z.string().meta({ 'x-ids': 'GET /api/repair/runs' }) })
export { runReply }
