import type { Caller } from '../../kernel/auth/caller.ts'
import { assertAllProjects } from '../../kernel/auth/permission.ts'
import type { SkillsNeeds } from './needs.ts'
import { countByName, countLatencies, findLatency, type Period } from './store.ts'

interface AnalyticsQuery {
  readonly since: string | undefined
  readonly limit: number
}

/** Sums up the uses of skills by the agent of the caller. Refuses tokens of one project. */
export async function readAnalytics(
  { db }: Pick<SkillsNeeds, 'db'>,
  caller: Caller,
  { since, limit }: AnalyticsQuery,
) {
  assertAllProjects({ caller })
  const period: Period = { agentId: caller.agentId, since }
  const skills = await countByName(db, period)
  const latencies = await countLatencies(db, period)
  const atShare = async (share: number) =>
    latencies === 0 ? 0 : ((await findLatency(db, period, Math.ceil(share * latencies))) ?? 0)
  const totalCalls = sum(skills.map(({ count }) => count))
  const successes = sum(skills.map((skill) => skill.successes))
  return {
    totalCalls,
    successRate: totalCalls === 0 ? 0 : Math.round((1000 * successes) / totalCalls) / 1000,
    topSkills: skills.slice(0, limit).map((skill) => ({
      skillName: skill.name,
      count: skill.count,
      successCount: skill.successes,
      avgLatencyMs: Math.round(skill.latency ?? 0),
    })),
    latency: { p50: await atShare(0.5), p95: await atShare(0.95) },
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
