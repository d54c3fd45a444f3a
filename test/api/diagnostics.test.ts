import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const anonymous = { role: 'anonymous' } as const

const alive = {
  uptime: expect.any(Number),
  pid: service.pid ?? expect.any(Number),
  version: expect.any(String),
  port: Number(new URL(service.url).port),
  shuttingDown: false,
}

describe('GET /health and /health/live', () => {
  test('report event-loop delays and the longest stall to all callers', async () => {
    const eventLoop = { p50: expect.any(Number), p99: expect.any(Number), max: expect.any(Number) }

    for (const [path, status] of [
      ['/health', 'healthy'],
      ['/health/live', 'alive'],
    ]) {
      const { status: code, body } = await service.ask(`GET ${path}`, anonymous)
      expect(code).toBe(200)
      expect(body).toMatchObject({ status, ...alive, eventLoop })
      expect(body['eventLoop']).toHaveProperty('slowest')
    }
  })
})

// A loopback address that counts as remote; other systems have none.
describe.skipIf(process.platform !== 'linux')('GET /health* from another machine', () => {
  const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
    const asking = get(service.url + path, { localAddress: '127.0.0.2', headers })
    const [reply] = (await once(asking, 'response')) as [IncomingMessage]
    return (await json(reply)) as object
  }

  test.each(['/health', '/health/live'])('%s returns no process id and no folder', async (path) => {
    const reply = await ask(path, {})
    const signed = await ask(path, { authorization: `Bearer ${service.tokenFor('readonly')}` })

    expect(reply).toHaveProperty('version')
    expect(reply).not.toHaveProperty('pid')
    expect(reply).not.toHaveProperty('agentsDir')
    expect(signed).toHaveProperty('pid')
    expect('agentsDir' in signed).toBe(path === '/health')
  })
})

describe('GET /health/ready', () => {
  test('reports readiness and the state of each component to all callers', async () => {
    const ask = () => service.ask('GET /health/ready', anonymous)
    // The graph is counted after the start.
    await expect
      .poll(async () => JSON.stringify((await ask()).body), { timeout: 5000 })
      .toContain('claimsWithoutCitation')
    const { status, body } = await ask()

    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ready', shuttingDown: false, reasons: [] })
    expect(body['checks']).toMatchObject({
      db: true,
      dbReader: 'ok',
      dbWriter: 'ok',
      migrations: { pending: 0 },
      queue: { status: 'ok', pending: 0, dead: 0, workers: { slots: 4, running: 0 } },
      embedding: { provider: 'static', available: true },
      inference: { status: 'disabled' },
      capabilities: {
        database: { status: 'ok', lanes: expect.any(Array) },
        knowledge: { status: 'ok', entities: 0, pendingProposals: 0, claimsWithoutCitation: 0 },
        memory: { status: 'ok', live: expect.any(Number) },
        search: { status: 'ok', rows: expect.any(Number) },
        settings: { status: 'ok', waitingForRestart: [] },
      },
    })
  })
})

describe('GET /api/status', () => {
  test('counts memories, waiting jobs and active sessions', async () => {
    const content = 'the kettle is in the cupboard by the window'
    await service.ask('POST /api/memory/remember', { body: { content } })

    const { status, body } = await service.ask('GET /api/status')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'running',
      ...alive,
      activeSessions: 0,
      bypassedSessions: 0,
      memories: { live: 1, deleted: 0, bytesPerMemory: expect.any(Number) },
      workers: { jobs: { slots: 4, running: 0 } },
      pipeline: {
        queue: {
          memory: { pending: 0, leased: 0, dead: 0, lastError: null, completeness: 'exact' },
          summary: { pending: 0, completeness: 'exact' },
          oldestDeadSummaryJob: null,
        },
      },
      transcripts: { capture: { pending: 0, processing: 0, failed: 0, dead: 0 } },
      health: { score: 1, status: 'healthy', checks: { queue: { status: 'ok' } } },
    })
    const { lanes } = body['database'] as { lanes: { name: string; alive: number }[] }
    expect(lanes.map(({ alive }) => alive).filter((count) => count > 0).length).toBeGreaterThan(0)
  })

  test('requires the permission diagnostics', async () => {
    expect((await service.ask('GET /api/status', { role: 'agent' })).status).toBe(403)
    expect((await service.ask('GET /api/status', anonymous)).status).toBe(401)
  })
})

test('GET /api/mode tells all callers that a token is required', async () => {
  expect((await service.ask('GET /api/mode', anonymous)).body).toEqual({
    mode: 'team',
    requiresAuth: true,
  })
})
