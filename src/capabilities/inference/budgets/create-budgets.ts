import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { Log } from '../../../kernel/log/log.ts'
import type { Budget, InferenceConfig, TargetModel } from '../config/config.ts'
import * as store from '../store/budgets.ts'
import { addUsage, countOtherAgents, hasUsage } from '../store/usage.ts'
import type { Usage } from '../targets/target.ts'
import {
  type Amount,
  type BudgetStatus,
  estimateTokens,
  exceeds,
  listBudgets,
  micros,
  toStatus,
} from './budget.ts'
import type { BudgetedCall, BudgetGuard, Reserved, Settle } from './budget-guard.ts'
import { isFree, type PriceTable, type ToCost } from './price.ts'
import { windowOf } from './windows.ts'

export interface BudgetNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  readonly prices: PriceTable
}

/** A reservation that is older counts as use: its daemon was killed. */
const reservationMs = 600_000
const maxAgentsADay = 1_000
/** Sums up the agents beyond the maximum. */
const otherAgents = '*'

export interface Budgets extends BudgetGuard {
  list(config: InferenceConfig): Promise<BudgetStatus[]>
}

export function createBudgets(needs: BudgetNeeds): Budgets {
  const { db, host } = needs
  const readWindow = (id: string, { period }: Budget) =>
    store.readWindow(db, { budgetId: id, window: windowOf(period, host.now()).window })
  const logChanges = createChangeLog(needs)
  return {
    readGates: async (config, request, estimated) => {
      const states = new Map(
        await Promise.all(
          [...config.budgets].map(
            async ([id, budget]) => [id, await readWindow(id, budget)] as const,
          ),
        ),
      )
      const costs = await readCosts(needs, config)
      logChanges(config, states)
      return (ref, taskClass) => {
        const model = config.models.get(ref)
        if (!model || isFree(model)) return []
        const toCost = costs.get(ref)
        const amount = toAmount(estimateTokens(estimated), toCost)
        return listBudgets(config, request, taskClass).flatMap(([id, budget]) => {
          if (budget.maxCost !== undefined && !toCost) return [`price-unknown:${id}`]
          const state = states.get(id)
          return state && exceeds(budget, state, amount) ? [`budget:${id}`] : []
        })
      }
    },
    reserve: (call) => reserve(needs, call),
    list: async (config) =>
      await Promise.all(
        [...config.budgets].map(async ([id, budget]) =>
          toStatus(id, budget, await readWindow(id, budget), host.now()),
        ),
      ),
  }
}

/** Logs once when a budget is used up, and once when it is open again. */
function createChangeLog({ host, log }: BudgetNeeds) {
  const stopped = new Set<string>()
  const setStopped = (id: string, isStopped: boolean) => {
    if (isStopped === stopped.has(id)) return
    stopped[isStopped ? 'add' : 'delete'](id)
    if (isStopped) log.warn({ budget: id }, 'budget used up')
    else log.info({ budget: id }, 'budget open again')
  }
  return ({ budgets }: InferenceConfig, states: ReadonlyMap<string, store.WindowState>) => {
    for (const [id, budget] of budgets) {
      const state = states.get(id)
      if (state) setStopped(id, toStatus(id, budget, state, host.now()).state === 'stopped')
    }
  }
}

/** Prices matter to budgets of money only. */
async function readCosts(
  { prices }: BudgetNeeds,
  config: InferenceConfig,
): Promise<ReadonlyMap<string, ToCost | undefined>> {
  if (![...config.budgets.values()].some(({ maxCost }) => maxCost !== undefined)) return new Map()
  const remote = [...config.models.values()].filter((model) => !isFree(model))
  return new Map(
    await Promise.all(remote.map(async (model) => [model.ref, await prices.find(model)] as const)),
  )
}

interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

function toAmount({ inputTokens, outputTokens }: Tokens, toCost: ToCost | undefined): Amount {
  const none = { cacheReadTokens: 0, cacheCreationTokens: 0 }
  const cost = toCost?.({ inputTokens, outputTokens, ...none }) ?? 0
  return { tokens: inputTokens + outputTokens, costMicros: Math.ceil(cost * micros) }
}

async function reserve(needs: BudgetNeeds, call: BudgetedCall): Promise<Reserved> {
  const { db, host, prices } = needs
  const { config, model, request, taskClass } = call
  const budgets = isFree(model) ? [] : listBudgets(config, request, taskClass)
  if (budgets.length === 0) return { status: 'reserved', settle: createSettle(needs, call, []) }
  const hasCost = budgets.some(([, { maxCost }]) => maxCost !== undefined)
  const tokens = estimateTokens(call)
  const amount = toAmount(tokens, hasCost ? await prices.find(model) : undefined)
  const now = host.now()
  const expiresAt = new Date(now.getTime() + reservationMs).toISOString()
  const id = host.newId()
  const rows: Reservation[] = []
  const full = await transaction(db, async (db) => {
    const exhausted: string[] = []
    for (const [budgetId, budget] of budgets) {
      const key = { budgetId, window: windowOf(budget.period, now).window }
      const state = await lockCurrent(db, key, now)
      if (exceeds(budget, state, amount)) exhausted.push(budgetId)
      rows.push({ ...key, id, ...amount, expiresAt })
    }
    if (exhausted.length > 0) return exhausted
    for (const row of rows) await store.insertReservation(db, row)
    return []
  })
  if (full.length > 0) return { status: 'exhausted', budgetIds: full }
  return { status: 'reserved', settle: createSettle(needs, call, rows) }
}

type Reservation = Parameters<typeof store.insertReservation>[1]

async function lockCurrent(db: Db, key: store.WindowKey, now: Date): Promise<store.WindowState> {
  const state = await store.lockWindow(db, key)
  const expired = await store.deleteExpired(db, key, now.toISOString())
  // The sum is the same: reserved amounts become used ones.
  if (expired.tokens > 0 || expired.costMicros > 0) await store.addUse(db, key, expired)
  return state
}

function createSettle(
  needs: BudgetNeeds,
  call: BudgetedCall,
  rows: readonly Reservation[],
): Settle {
  return async ({ ok, usage }) => {
    try {
      const reported = typeof usage === 'string' ? null : await withCost(needs, call.model, usage)
      await transaction(needs.db, async (db) => {
        // Without a report, the reservation counts.
        const toUse = (row: Amount) => (usage === 'nothing' ? nothing : row)
        for (const row of rows)
          await settleOne(db, row, reported ? toAmountOf(reported) : toUse(row))
        await recordUse(needs, db, { call, ok, usage: reported })
      })
      return reported
    } catch (error) {
      // The call is answered; the reservation counts as use once it expires.
      needs.log.error({ err: error }, 'usage write failed')
      return typeof usage === 'string' ? null : usage
    }
  }
}

const nothing: Amount = { tokens: 0, costMicros: 0 }

async function settleOne(db: Db, row: Reservation, usage: Amount): Promise<void> {
  await store.lockWindow(db, row)
  const reservation = await store.deleteReservation(db, row)
  const base = reservation ? nothing : row
  await store.addUse(db, row, {
    tokens: usage.tokens - base.tokens,
    costMicros: usage.costMicros - base.costMicros,
  })
}

/** Null without a report. Adds the cost where the provider reports none and the price is known. */
async function withCost(
  { prices }: BudgetNeeds,
  model: TargetModel,
  usage: Usage,
): Promise<Usage | null> {
  if (Object.values(usage).every((figure) => figure === null)) return null
  if (usage.totalCost !== null) return usage
  const toCost = await prices.find(model)
  return toCost ? { ...usage, totalCost: toCost(usage) } : usage
}

function toAmountOf(usage: Usage): Amount {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, totalCost } = usage
  const counts = [inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens]
  const tokens = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  return { tokens, costMicros: Math.ceil((totalCost ?? 0) * micros) }
}

interface Recorded {
  readonly call: BudgetedCall
  readonly ok: boolean
  readonly usage: Usage | null
}

async function recordUse(
  { host }: BudgetNeeds,
  db: Db,
  { call, ok, usage }: Recorded,
): Promise<void> {
  const { model, request, taskClass } = call
  const day = host.now().toISOString().slice(0, 10)
  const { agentId } = request
  const isKnown = await hasUsage(db, { day, agentId })
  const isBeyond = !isKnown && (await countOtherAgents(db, { day, agentId })) >= maxAgentsADay
  await addUsage(db, {
    day,
    agentId: isBeyond ? otherAgents : agentId,
    operation: request.operation,
    taskClass,
    targetRef: model.ref,
    calls: 1,
    failures: ok ? 0 : 1,
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    cacheReadTokens: usage?.cacheReadTokens ?? 0,
    cacheCreationTokens: usage?.cacheCreationTokens ?? 0,
    costMicros: usage ? toAmountOf(usage).costMicros : 0,
  })
}
