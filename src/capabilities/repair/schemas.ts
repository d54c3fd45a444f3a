import { z } from 'zod'
import { repairNames } from './actions.ts'

const dryRun = z
  .boolean()
  .default(false)
  .describe('Report what the repair would do, and change nothing.')

export const emptyBody = z.object({})
export const sweepBody = z.object({ dryRun })
export const checkBody = z.object({
  repair: z.boolean().default(false).describe('Rebuild the index if it is damaged.'),
})
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
