import type { Caller } from '../../kernel/auth/caller.ts'
import type { SessionsNeeds } from './needs.ts'
import type { Score } from './score.ts'
import { listLatestScores, listScores } from './store/scores.ts'

export interface ContinuityRequest {
  readonly project: string | undefined
  readonly limit: number
}

export interface Continuity {
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
