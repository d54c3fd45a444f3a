import { z } from 'zod'
import { anything } from '../../kernel/http/wire-values.ts'

const agent = { agentId: anything, agent_id: anything }
const nullable = z.string().nullable()

export const byJob = z.object({ jobId: z.string() })
export const agentQuery = z.object(agent)

export const receiptReply = z.object({
  id: z.string(),
  status: z.enum(['pending', 'processing', 'completed', 'failed', 'dead']),
  error: nullable,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  attempts: z.int(),
})
