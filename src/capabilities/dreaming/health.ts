import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { findBlock } from './engine.ts'
import { type Backlog, readBacklog } from './evidence/backlog.ts'
import type { DreamingNeeds } from './needs.ts'
import { planLifetimeMs } from './pass.ts'
import { findBackoffEnd, isHalted } from './schedule/backoff.ts'
import { countStates, listStates } from './store/health.ts'
import { sumCosts } from './store/passes.ts'

const dayMs = 86_400_000
/** Counting sums lengths, and probes may ask every second. */
const maxAgeMs = 60_000

/** Reports a halted worker, an old backlog, used-up budgets and plans that wait. */
export function dreamingHealth(needs: DreamingNeeds): HealthCheck {
  let cached: { readonly at: number; readonly health: ReturnType<HealthCheck['check']> } | undefined
  return {
    name: 'dreaming',
    check: () => {
      const at = needs.host.now().getTime()
      if (cached && at - cached.at < maxAgeMs) return cached.health
      const health = check(needs)
      cached = { at, health }
      health.catch(() => {
        cached = undefined
      })
      return health
    },
  }
}

async function check(needs: DreamingNeeds): ReturnType<HealthCheck['check']> {
  const { background: db, config, host } = needs
  const blockedBy = findBlock(needs, 'default')
  if (!config().enabled) return { status: 'disabled', reasons: [], details: { blockedBy } }
  const now = host.now().getTime()
  const states = await listStates(db)
  const halted = states.filter((state) => isHalted(state))
  const backlogs: Backlog[] = []
  for (const { agentId } of states)
    backlogs.push(await readBacklog(needs, db, agentId, 'rulesChars'))
  const oldestAt = backlogs
    .flatMap((backlog) => backlog.oldestAt ?? [])
    .toSorted()
    .at(0)
  const oldestPassAt = states
    .filter((_, at) => (backlogs[at]?.tokens ?? 0) > 0)
    .map(({ lastPassAt }) => lastPassAt ?? '')
    .toSorted()
    .at(0)
  const isLate =
    blockedBy === null &&
    oldestPassAt !== undefined &&
    oldestPassAt !== '' &&
    now - Date.parse(oldestPassAt) > 3 * config().maxInterval
  const day = await sumCosts(db, new Date(now - dayMs).toISOString())
  const { costPerDay, tokensPerDay } = config().budget
  const isBudgetUsed = day.tokens >= tokensPerDay || day.costMicros / 1_000_000 >= costPerDay
  const counts = await countStates(db, new Date(now - planLifetimeMs).toISOString())
  const haltedUntil = halted.map((state) => findBackoffEnd(state)?.toISOString() ?? null).at(0)
  return toHealth(
    [
      halted.length > 0 &&
        `Dreaming is halted until ${haltedUntil} after repeated failures: run \`reverie dream\` to see the error`,
      isLate && 'new evidence waits for long: run `reverie dream status`',
      isBudgetUsed &&
        day.tokens > 0 &&
        'the budget of Dreaming for 24 hours is used up: raise memory.dreaming.budget or wait',
    ],
    {
      blockedBy,
      backlogTokens: backlogs.reduce((sum, { tokens }) => sum + tokens, 0),
      oldestAt: oldestAt ?? null,
      failures: Math.max(0, ...states.map(({ rulesFailures }) => rulesFailures)),
      haltedUntil: haltedUntil ?? null,
      tokensToday: day.tokens,
      costToday: day.costMicros / 1_000_000,
      ...counts,
    },
  )
}
