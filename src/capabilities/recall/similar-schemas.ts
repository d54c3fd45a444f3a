import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { answerWith } from './replies.ts'
import type { Similar, SimilarRequest } from './similar.ts'

export const similarQuery = z
  .object({
    agentId: value.ignored,
    agent_id: value.ignored,
    id: value.required('id'),
    k: value.integer('k', { min: 1, max: 100, default: 10 }),
    type: value.text,
  })
  .transform(({ id, k: limit, type }): SimilarRequest => ({ id, limit, type }))

export const similarReply = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      type: z.string(),
      tags: z.array(z.string()).readonly(),
      score: z.number(),
      confidence: z.number().nullable(),
      created_at: z.string(),
    }),
  ),
})

export function toSimilarAnswer({ rows, degradation }: Similar) {
  const results = rows.map(({ memory, score }) => {
    const { id, content, type, tags, confidence, createdAt: created_at } = memory
    return { id, content, type, tags, confidence, created_at, score: Math.round(score * 100) / 100 }
  })
  return answerWith({ results }, degradation)
}
