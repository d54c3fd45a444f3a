import { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import * as value from '../../kernel/http/wire-values.ts'
import type { SessionsNeeds } from './needs.ts'
import type { Score } from './score.ts'
import { listLatestScores, listScores } from './store/scores.ts'

interface ContinuityRequest {
  readonly project: string | undefined
  readonly limit: number
}

interface Continuity {
  readonly scores: readonly Score[]
  readonly summary: {
    readonly count: number
    readonly average: number
    /** The newest score minus the oldest. */
    readonly trend: number
    readonly latest: number | null
  }
}

export async function readContinuity(
  { db }: SessionsNeeds,
  { agentId, scope }: Caller,
  { project, limit }: ContinuityRequest,
): Promise<Continuity> {
  const scores = await listScores(db, { agentId, project: scope.project ?? project, limit })
  const values = scores.map(({ score }) => score)
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    scores,
    summary: {
      count: values.length,
      average: round(sum / Math.max(1, values.length)),
      trend: round((values[0] ?? 0) - (values.at(-1) ?? 0)),
      latest: values[0] ?? null,
    },
  }
}

/** The latest score of each project. */
export function readLatest(
  { db }: SessionsNeeds,
  { agentId, scope }: Caller,
  limit: number,
): Promise<Score[]> {
  return listLatestScores(db, { agentId, project: scope.project, limit })
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

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
