import { describe, expect, test } from 'vitest'
import { scrapeMetrics } from '../support/scrape-metrics.ts'
import { startSharedService } from '../support/shared-service.ts'

const agent = 'minerva'
const service = await startSharedService(agent)
const scope = { agent }

const read = async (path: string, ask = {}) => (await service.ask(`GET ${path}`, ask)).body
const countOf = async (ask = {}) => {
  const { endpoints } = Object(await read('/api/analytics/usage', ask))
  return Number(Object(endpoints['POST /api/memory/remember']).count ?? 0)
}
const remember = (content: string) =>
  service.ask('POST /api/memory/remember', { body: { content } })

describe('analytics', () => {
  test('counts what one agent does, and shows it to a token of that agent', async () => {
    await remember('The observatory is on the northern hill')
    await expect.poll(() => countOf({ scope })).toBe(1)
    const usage = await read('/api/analytics/usage', { scope })

    expect(usage).toMatchObject({ providers: {}, connectors: {}, startedAt: expect.any(String) })
    expect(await countOf({ agent: 'pluto', scope: { agent: 'pluto' } })).toBe(0)
    expect(await countOf({ scope: { project: 'p' } })).toBe(0)
    expect(await countOf()).toBeGreaterThan(0)
  })

  test('summarizes durations', async () => {
    await service.ask('POST /api/memory/recall', { body: { query: 'observatory' } })
    await expect
      .poll(async () => Object(await read('/api/analytics/latency', { scope })).recall.count)
      .toBe(1)
    const { remember: durations } = Object(await read('/api/analytics/latency', { scope }))

    expect(durations.p50).toBeGreaterThan(0)
  })

  test('lists a change that came too late as a failure of its author', async () => {
    const { body } = await remember('The dome has six shutters')
    const change = { content: 'Seven', reason: 'counted', if_version: 9 }
    const stale = await service.ask(`PATCH /api/memory/${body['id']}`, { body: change })
    expect(stale.status).toBe(409)

    await expect
      .poll(async () => (await read('/api/analytics/errors', { scope }))['errors'])
      .toMatchObject([{ stage: 'mutation', code: 'MUTATION_CONFLICT' }])
    expect(await read('/api/analytics/errors?stage=connector', { scope })).toMatchObject({
      errors: [],
    })
    expect((await service.ask('GET /api/analytics/errors?stage=none')).status).toBe(400)
    expect(await read('/api/analytics/memory-safety')).toMatchObject({
      mutation: { score: expect.any(Number) },
      recentErrors: expect.any(Array),
    })
  })

  test('lists log entries like the log', async () => {
    expect(await read('/api/analytics/logs?limit=1')).toMatchObject({ count: 1 })
  })
})

test('GET /metrics has the series of unknown paths once, whatever they are', async () => {
  const list = async () => {
    const families = await scrapeMetrics(service)
    expect(families.size).toBe(15)
    const series = [...families.values()].flatMap(({ samples }) => [...samples.keys()])
    return series.filter((name) => name.includes('unmatched'))
  }
  await fetch(`${service.url}/nowhere`)
  await expect.poll(async () => (await list()).length).toBeGreaterThan(0)
  const { length } = await list()
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => fetch(`${service.url}/nowhere/${index}-"x`)),
  )

  expect(await list()).toHaveLength(length)
  expect((await list()).join()).not.toContain('nowhere')
})

test('GET /api/telemetry/health tells what is recorded', async () => {
  expect(await read('/api/telemetry/health')).toMatchObject({
    enabled: true,
    buffered: expect.any(Number),
    dropped: 0,
    retentionDays: 90,
    openLog: expect.stringMatching(/events\.jsonl$/),
    qaEnabled: false,
  })
})
