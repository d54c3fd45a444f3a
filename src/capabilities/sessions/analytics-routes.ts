import { z } from 'zod'
import { type Route, route } from '../../kernel/http/route.ts'
import * as value from '../../kernel/http/wire-values.ts'
import { readContinuity, readLatest } from './analytics.ts'
import type { SessionsNeeds } from './needs.ts'
import type { Score } from './score.ts'

const query = z
  .object({
    ...{ agentId: value.ignored, agent_id: value.ignored, project: value.text },
    limit: value.integer('limit', { min: 1, max: 500, default: 50 }),
  })
  .transform(({ project, limit }) => ({ project, limit }))

const scoreReply = z.object({
  id: z.string(),
  session_key: z.string(),
  project: z.string().nullable(),
  harness: z.string(),
  score: z.number(),
  memories_recalled: z.int(),
  memories_used: z.int(),
  novel_context_count: z.int(),
  reasoning: z.string(),
  created_at: z.string(),
})

export function analyticsRoutes(needs: SessionsNeeds): readonly Route[] {
  return [
    route({
      name: 'sessions.continuity',
      method: 'GET',
      path: '/api/analytics/continuity',
      permission: 'analytics',
      summary: 'How well sessions were served by what they were told, the latest first.',
      query,
      reply: z.object({
        scores: z.array(scoreReply),
        summary: z.object({
          count: z.int(),
          average: z.number(),
          trend: z.number(),
          latest: z.number().nullable(),
        }),
      }),
      handle: async ({ caller, query }) => {
        const { scores, summary } = await readContinuity(needs, caller, query)
        return { scores: scores.map(toScore), summary }
      },
    }),
    route({
      name: 'sessions.latest-continuity',
      method: 'GET',
      path: '/api/analytics/continuity/latest',
      permission: 'analytics',
      summary: 'The newest continuity score of each project.',
      query,
      reply: z.object({
        scores: z.array(scoreReply.pick({ project: true, score: true, created_at: true })),
      }),
      handle: async ({ caller, query }) => ({
        scores: (await readLatest(needs, caller, query.limit)).map(toScore),
      }),
    }),
  ]
}

function toScore(kept: Score): z.input<typeof scoreReply> {
  const { id, project, harness, score, reasoning } = kept
  return {
    ...{ id, project, harness, score, reasoning },
    session_key: kept.sessionKey,
    memories_recalled: kept.memoriesRecalled,
    memories_used: kept.memoriesUsed,
    novel_context_count: kept.novelContextCount,
    created_at: kept.createdAt,
  }
}
