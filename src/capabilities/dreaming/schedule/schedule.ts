import type { Db } from '../../../kernel/db/database.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { findBlock, findEffectiveEngine } from '../engine.ts'
import { type Backlog, readBacklog } from '../evidence/backlog.ts'
import type { DreamingNeeds } from '../needs.ts'
import { countFreshAttention } from '../store/attention.ts'
import { readState } from '../store/evidence.ts'
import { countStarted, sumCosts } from '../store/passes.ts'
import type { StateRow } from '../store/rows.ts'
import { newPass, startPass } from '../trigger.ts'
import { findModelBackoffEnd } from './backoff.ts'
import { type Due, decideDue } from './due.ts'

const firstCheckMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

export interface Schedule {
  /** Something new may be pending for the agent. Looks after `tickMs`. */
  wake(agentId: string): void
  /** A pass has ended: more may wait. */
  wakeNow(agentId: string): void
  nextCheckAt(): string | null
  /** Looks once at all agents: after a start, and when settings have changed. */
  wakeAll(): void
  stop(): void
}

/** One timer while something is pending, and none otherwise. */
export function createSchedule(needs: DreamingNeeds): Schedule {
  const { host, log } = needs
  const pending = new Set<string>()
  let timer: { readonly at: number; readonly control: AbortController } | undefined
  let stopped = false
  let looksAtAll = false

  const arm = (ms: number) => {
    const at = host.now().getTime() + ms
    if (stopped || (timer && timer.at <= at)) return
    timer?.control.abort()
    const control = new AbortController()
    timer = { at, control }
    void host.sleep(ms, control.signal).then(() => {
      if (control.signal.aborted) return
      timer = undefined
      checkAll().catch((err: unknown) => log.error({ err }, 'dreaming check failed'))
    })
  }
  /** False when a pass has begun or runs: its end looks again. */
  const checkAgent = async (agentId: string): Promise<boolean> => {
    const { due, nextCheckAt, mode, engine } = await readDue(needs, agentId)
    if (due) {
      if (!(await startScheduled(needs, { agentId, mode, engine }))) arm(needs.config().tickMs)
      return false
    }
    if (!nextCheckAt) pending.delete(agentId)
    else arm(Math.max(needs.config().tickMs, nextCheckAt.getTime() - host.now().getTime()))
    return true
  }
  const checkAll = async () => {
    if (looksAtAll) for (const id of await needs.agents.listIds(needs.background)) pending.add(id)
    looksAtAll = false
    for (const agentId of [...pending]) if (!(await checkAgent(agentId))) return
  }
  return {
    wake: (agentId) => {
      if (!needs.config().enabled) return
      pending.add(agentId)
      arm(needs.config().tickMs)
    },
    wakeNow: (agentId) => {
      if (!needs.config().enabled) return
      pending.add(agentId)
      arm(1_000)
    },
    nextCheckAt: () => (timer ? new Date(timer.at).toISOString() : null),
    wakeAll: () => {
      if (!needs.config().enabled) return
      looksAtAll = true
      arm(firstCheckMs)
    },
    stop: () => {
      stopped = true
      timer?.control.abort()
    },
  }
}

interface EngineDue extends Due {
  readonly engine: 'rules' | 'model'
  /** What the engine has not read. */
  readonly backlog: Backlog
}

/** Whether a pass of the agent is due. */
export async function readDue(needs: DreamingNeeds, agentId: string): Promise<EngineDue> {
  const { background: db, host } = needs
  const settings = needs.config()
  const state = await readState(db, agentId)
  const engine = await chooseEngine(needs, db, state)
  const stage = engine === 'model' ? 'modelChars' : 'rulesChars'
  const now = host.now()
  const hourAgo = new Date(now.getTime() - hourMs).toISOString()
  const [backlog, passesInLastHour, freshAttention] = await Promise.all([
    readBacklog(needs, db, agentId, stage),
    countStarted(db, agentId, hourAgo),
    engine === 'model' ? countFreshAttention(db, agentId, state.lastPassAt ?? '') : 0,
  ])
  const due = decideDue({
    state,
    backlogTokens: backlog.tokens,
    freshAttention,
    engine,
    settings,
    blockedBy: findBlock(needs, agentId),
    passesInLastHour,
    now,
  })
  return { ...due, engine, backlog }
}

const maxIdlePasses = 2

/** Rules alone while the model fails, finds nothing, or has used its budget of the day. */
async function chooseEngine(
  needs: DreamingNeeds,
  db: Db,
  state: StateRow,
): Promise<'rules' | 'model'> {
  const { agentId, modelIdlePasses } = state
  const { budget, tokenThreshold } = needs.config()
  if (findEffectiveEngine(needs, agentId) === 'rules') return 'rules'
  const now = needs.host.now().getTime()
  const backoffEnd = findModelBackoffEnd(state)
  if (backoffEnd && backoffEnd.getTime() > now) return 'rules'
  const day = await sumCosts(db, new Date(now - dayMs).toISOString())
  const isBudgetUsed =
    day.tokens >= budget.tokensPerDay ||
    (day.costMicros > 0 && day.costMicros / 1_000_000 >= budget.costPerDay)
  if (isBudgetUsed) return 'rules'
  if (modelIdlePasses < maxIdlePasses) return 'model'
  const { tokens } = await readBacklog(needs, db, agentId, 'modelChars')
  return tokens >= tokenThreshold ? 'model' : 'rules'
}

interface Scheduled {
  readonly agentId: string
  readonly mode: Due['mode']
  readonly engine: 'rules' | 'model'
}

/** False while another pass runs. */
async function startScheduled(
  needs: DreamingNeeds,
  { agentId, mode, engine: chosen }: Scheduled,
): Promise<boolean> {
  const engine = chosen === 'rules' ? 'rules' : needs.config().engine
  const pass = newPass(needs, { agentId, mode, engine, dryRun: false, trigger: 'schedule' })
  try {
    await startPass(needs, pass)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
