import { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import * as value from '../../kernel/http/wire-values.ts'
import type { SessionsNeeds } from './needs.ts'
import type { Score } from './score.ts'
import { listLatestScores, listScores } from './store/scores.ts'

export async function readContinuity(
  { db }: SessionsNeeds,
  { agentId, scope }: Caller,
  { project, limit }: z.output<typeof query>,
) {
  const scores = await listScores(db, { agentId, project: scope.project ?? project, limit })
  const values = scores.map(({ score }) => score)
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    scores: scores.map(toScore),
    summary: {
      count: values.length,
      average: round(sum / Math.max(1, values.length)),
      // The newest score minus the oldest.
      trend: round((values[0] ?? 0) - (values.at(-1) ?? 0)),
      latest: values[0] ?? null,
    },
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

const query = z
  .object({
    ...value.ignoredAgent,
    project: value.text,
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
      summary: 'List continuity scores of sessions, the latest first.',
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
      handle: ({ caller, query }) => readContinuity(needs, caller, query),
    }),
    route({
      name: 'sessions.latest-continuity',
      method: 'GET',
      path: '/api/analytics/continuity/latest',
      permission: 'analytics',
      summary: 'List the latest continuity score of each project.',
      query,
      reply: z.object({
        scores: z.array(scoreReply.pick({ project: true, score: true, created_at: true })),
      }),
      handle: async ({ caller: { agentId, scope }, query: { limit } }) => {
        const scores = await listLatestScores(needs.db, { agentId, project: scope.project, limit })
        return { scores: scores.map(toScore) }
      },
    }),
  ]
}

function toScore({ agentId: _, ...score }: Score) {
  return value.toWireNames(score)
}
