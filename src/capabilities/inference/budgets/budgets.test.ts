import { expect, vi } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { createLog } from '../../../kernel/log/log.ts'
import { testOnEachEngine } from '../../../kernel/testing/engines.ts'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { parseConfig } from '../config/parse-config.ts'
import type { RouteRequest } from '../decision/request.ts'
import { inferenceMigrations } from '../migrations.ts'
import { sumUsage } from '../store/usage.ts'
import type { Usage } from '../targets/target.ts'
import { createBudgets } from './create-budgets.ts'
import { createPriceTable } from './price.ts'

const test = testOnEachEngine(inferenceMigrations)

const usage: Usage = {
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: null,
  cacheCreationTokens: null,
  totalCost: null,
  totalDurationMs: null,
}
const price = { input: 10, output: 100 }
const targets = {
  far: { executor: 'openai', models: { m: { model: 'm', price } } },
  odd: {
    executor: 'openai-compatible',
    endpoint: 'https://m.example/v1',
    models: { m: { model: 'm' } },
  },
  home: { executor: 'ollama', models: { m: { model: 'm' }, c: { model: 'm:cloud' } } },
}

function openBudgets(db: Db, budgets: object, host = manualClockHost()) {
  const log = createLog('silent')
  const config = parseConfig({ section: { targets, budgets }, extraction: undefined })
  const guard = createBudgets({ db, host, log, prices: createPriceTable() })
  const route: RouteRequest = { operation: 'interactive', agentId: 'ann' }
  const call = (ref: string, changes: Partial<RouteRequest> = {}, maxTokens = 20) => {
    const model = config.models.get(ref)
    if (!model) throw new Error(ref)
    const request = { ...route, ...changes }
    return { config, model, request, taskClass: 'chat', promptChars: 400, maxTokens }
  }
  const reserve = async (...given: Parameters<typeof call>) => {
    const reserved = await guard.reserve(call(...given))
    if (reserved.status === 'exhausted') throw new Error(reserved.budgetIds.join())
    return reserved.settle
  }
  const gatesOf = async (ref: string, changes: Partial<RouteRequest> = {}) => {
    const estimated = { promptChars: 400, maxTokens: 20 }
    return (await guard.readGates(config, { ...route, ...changes }, estimated))(ref, 'chat')
  }
  return { host, log, guard, call, reserve, gatesOf, list: () => guard.list(config) }
}

test('a budget of tokens stops when the estimate has no room, and the use replaces it', async (db) => {
  const { reserve, gatesOf, list } = openBudgets(db, { daily: { maxTokens: 240 } })
  const settle = await reserve('far/m')
  await expect(list()).resolves.toMatchObject([
    { id: 'daily', reserved: { tokens: 120 }, used: { tokens: 0 }, state: 'ok' },
  ])
  await reserve('far/m')
  await expect(reserve('far/m')).rejects.toThrow('daily')
  await expect(gatesOf('far/m')).resolves.toEqual(['budget:daily'])

  await settle({ ok: true, usage: { ...usage, inputTokens: 30 } })
  await expect(list()).resolves.toMatchObject([{ used: { tokens: 50 }, reserved: { tokens: 120 } }])
  await expect(gatesOf('far/m')).resolves.toEqual(['budget:daily'])
})

test('a budget of money counts the price of the model and blocks an unknown price', async (db) => {
  const { reserve, gatesOf, list } = openBudgets(db, { daily: { maxCost: 0.004 } })
  const settle = await reserve('far/m')
  const cost = (100 * 10 + 20 * 100) / 1e6

  await expect(settle({ ok: true, usage })).resolves.toMatchObject({ totalCost: cost })
  await expect(list()).resolves.toMatchObject([{ used: { cost, tokens: 120 }, state: 'ok' }])
  await expect(gatesOf('far/m')).resolves.toEqual(['budget:daily'])
  await expect(gatesOf('odd/m')).resolves.toEqual(['price-unknown:daily'])
})

test('local targets are never stopped; a cloud model of a local server is', async (db) => {
  const { reserve, gatesOf, list } = openBudgets(db, { none: { maxTokens: 0 } })

  await expect(gatesOf('home/m')).resolves.toEqual([])
  await expect(gatesOf('home/c')).resolves.toEqual(['budget:none'])
  await (await reserve('home/m'))({ ok: true, usage })
  await expect(list()).resolves.toMatchObject([{ used: { tokens: 0 }, state: 'stopped' }])
})

test('agent, task class and operations narrow a budget', async (db) => {
  const { gatesOf } = openBudgets(db, {
    ann: { agent: 'ann', maxTokens: 0 },
    code: { taskClass: 'code', maxTokens: 0 },
    work: { operations: ['repair', 'memory_extraction'], maxTokens: 0 },
  })

  await expect(gatesOf('far/m')).resolves.toEqual(['budget:ann'])
  await expect(gatesOf('far/m', { agentId: 'bo' })).resolves.toEqual([])
  await expect(gatesOf('far/m', { agentId: 'bo', operation: 'repair' })).resolves.toEqual([
    'budget:work',
  ])
})

test('a call without a report counts its reservation; a refused one counts nothing', async (db) => {
  const { reserve, list } = openBudgets(db, { daily: { maxTokens: 1_000 } })
  const silent = { ...usage, inputTokens: null, outputTokens: null }
  await (await reserve('far/m'))({ ok: true, usage: silent })
  await (await reserve('far/m'))({ ok: false, usage: 'estimate' })
  await (await reserve('far/m'))({ ok: false, usage: 'nothing' })

  await expect(list()).resolves.toMatchObject([{ used: { tokens: 240 }, reserved: { tokens: 0 } }])
})

test('a reservation of a killed daemon counts as use after ten minutes', async (db) => {
  const { host, reserve, list } = openBudgets(db, { daily: { maxTokens: 1_000 } })
  const late = await reserve('far/m')
  host.advance(600_001)
  await (await reserve('far/m'))({ ok: true, usage })

  await expect(list()).resolves.toMatchObject([{ used: { tokens: 240 }, reserved: { tokens: 0 } }])
  await late({ ok: true, usage: { ...usage, outputTokens: 0 } })
  await expect(list()).resolves.toMatchObject([{ used: { tokens: 220 } }])
})

test('a new day opens a daily budget, and a monthly one stays', async (db) => {
  const { host, reserve, gatesOf, list } = openBudgets(db, {
    daily: { maxTokens: 150 },
    monthly: { period: 'month', maxTokens: 100_000 },
  })
  await (await reserve('far/m'))({ ok: true, usage })
  await expect(list()).resolves.toMatchObject([
    { state: 'near', resetsAt: '2026-01-03T00:00:00.000Z' },
    { used: { tokens: 120 }, resetsAt: '2026-02-01T00:00:00.000Z' },
  ])
  await expect(gatesOf('far/m')).resolves.toEqual(['budget:daily'])

  host.advance(86_400_000)
  await expect(gatesOf('far/m')).resolves.toEqual([])
  await expect(list()).resolves.toMatchObject([{ used: { tokens: 0 } }, { used: { tokens: 120 } }])
})

test('calls of two daemons at the same time never exceed the limit together', async (db) => {
  const budgets = { daily: { maxTokens: 600 }, other: { maxTokens: 9_999 } }
  const { guard, host, call, list } = openBudgets(db, budgets)
  const guards = [guard, openBudgets(db, budgets, host).guard]
  const calls = Array.from({ length: 6 }, () => guards.map((one) => one.reserve(call('far/m'))))
  const outcomes = await Promise.all(calls.flat())

  expect(outcomes.filter(({ status }) => status === 'reserved')).toHaveLength(5)
  await expect(list()).resolves.toMatchObject([
    { reserved: { tokens: 600 }, state: 'stopped' },
    { reserved: { tokens: 600 } },
  ])
})

test('a budget that stops and opens again is logged once each', async (db) => {
  const { host, log, reserve, gatesOf } = openBudgets(db, { daily: { maxTokens: 120 } })
  const [warn, info] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'info')]
  await (await reserve('far/m'))({ ok: true, usage })
  for (let call = 0; call < 3; call++) await gatesOf('far/m')
  expect(warn.mock.calls).toEqual([[{ budget: 'daily' }, 'budget used up']])

  host.advance(86_400_000)
  for (let call = 0; call < 3; call++) await gatesOf('far/m')
  expect(info.mock.calls).toEqual([[{ budget: 'daily' }, 'budget open again']])
})

test('every call is recorded, and agents beyond the maximum of a day are summed up', async (db) => {
  const { reserve } = openBudgets(db, {})
  await (await reserve('far/m'))({ ok: true, usage })
  await (await reserve('far/m'))({ ok: false, usage: 'nothing' })
  await (await reserve('home/m', { agentId: 'bo', operation: 'repair' }))({ ok: true, usage })
  const sums = (by: 'agent' | 'target' | 'operation' | 'day') => sumUsage(db, { by, limit: 10 })

  await expect(sums('agent')).resolves.toMatchObject([
    { key: 'ann', calls: 2, failures: 1, inputTokens: 100, outputTokens: 20, costMicros: 3_000 },
    { key: 'bo', calls: 1, costMicros: 0 },
  ])
  await expect(sums('operation')).resolves.toMatchObject([
    { key: 'interactive' },
    { key: 'repair' },
  ])
  await expect(sums('day')).resolves.toMatchObject([{ key: '2026-01-02', calls: 3 }])
})

test('a failed write at settlement is logged and the call is answered', async (db) => {
  const { log, reserve } = openBudgets(db, { daily: { maxTokens: 1_000 } })
  const error = vi.spyOn(log, 'error')
  const settle = await reserve('far/m')
  await db.schema.dropTable('inference_usage').execute()

  await expect(settle({ ok: true, usage })).resolves.toMatchObject({ inputTokens: 100 })
  expect(error).toHaveBeenCalledWith(expect.anything(), 'usage write failed')
})
