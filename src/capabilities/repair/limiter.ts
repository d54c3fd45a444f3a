import type { Db } from '../../kernel/db/database.ts'
import type { RepairName } from './actions.ts'
import { type Limit, toLimit } from './config.ts'
import type { RepairNeeds, RepairSettings } from './needs.ts'
import type { Actor } from './repair-run.ts'
import { listSuccesses } from './store/runs.ts'

const hourMs = 3_600_000
/** A caller that the policy denies has nothing to wait for. */
const policyRetryMs = 60_000

export interface Denial {
  readonly code: 'cooldown' | 'hourly_budget' | 'policy_denied' | 'in_progress'
  readonly message: string
  readonly retryAt: number
}

/** Whether the settings forbid the repair. */
export function findPolicyDenial(
  { autonomous }: RepairSettings,
  actor: Pick<Actor, 'type'>,
  now: Date,
): Denial | undefined {
  const retryAt = now.getTime() + policyRetryMs
  const deny = (message: string) => ({ code: 'policy_denied' as const, message, retryAt })
  if (autonomous.frozen)
    return deny('Repairs are frozen. Set memory.pipelineV2.autonomous.frozen to false.')
  if (actor.type === 'agent' && !autonomous.enabled)
    return deny('Agents may not repair. Set memory.pipelineV2.autonomous.enabled to true.')
  return undefined
}

interface Attempt {
  readonly name: RepairName
  readonly now: Date
}

/** The successes of the last hour and the last one count, of every daemon and every caller. */
export async function findLimitDenial(
  db: Db,
  { settings }: Pick<RepairNeeds, 'settings'>,
  { name, now }: Attempt,
): Promise<Denial | undefined> {
  const limit = toLimit(settings().repair, name)
  const windowMs = Math.max(hourMs, limit.cooldownMs)
  const since = new Date(now.getTime() - windowMs).toISOString()
  const ends = await listSuccesses(db, name, { since, limit: limit.hourlyBudget })
  return toDenial(limit, ends.map(Date.parse), now.getTime())
}

/** Clocks of two daemons may differ by this. A later time is from before the clock was set back. */
const maxSkewMs = 60_000

function toDenial(limit: Limit, stored: readonly number[], now: number): Denial | undefined {
  const ends = stored.filter((end) => end <= now + maxSkewMs)
  const [last] = ends
  if (last === undefined) return undefined
  const cooldownEnd = last + limit.cooldownMs
  if (cooldownEnd > now) {
    const seconds = Math.ceil((cooldownEnd - now) / 1000)
    const message = `The repair ran recently. Retry in ${seconds} s.`
    return { code: 'cooldown', message, retryAt: cooldownEnd }
  }
  const recent = ends.filter((end) => end > now - hourMs)
  if (recent.length < limit.hourlyBudget) return undefined
  const message = `The repair ran ${recent.length} times in the last hour.`
  return { code: 'hourly_budget', message, retryAt: Math.min(...recent) + hourMs }
}
