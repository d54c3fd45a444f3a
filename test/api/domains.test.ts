import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const weights = {
  queue: 0.23,
  provider: 0.2,
  index: 0.15,
  storage: 0.1,
  update: 0.1,
  mutation: 0.08,
  connector: 0.05,
  graph: 0.05,
  duplicate: 0.04,
}

interface Domain {
  readonly score: number
  readonly status: string
}

const save = async (content: string, project: string) =>
  (await service.ask('POST /api/memory/remember', { body: { content, project } })).body['id']

test('real state lowers the scores, and the composite is their weighted sum', async () => {
  const ids = []
  for (const project of ['a', 'b', 'c']) ids.push(await save('The fern is green.', project))
  const change = { body: { reason: 'test' } }
  for (const id of ids.slice(0, 2)) await service.ask(`DELETE /api/memory/${id}`, change)
  for (let round = 0; round < 6; round++) {
    await service.ask(`POST /api/memory/${ids[0]}/recover`, change)
    await service.ask(`DELETE /api/memory/${ids[0]}`, change)
  }
  const { status, body } = await service.ask('GET /api/diagnostics')
  const { body: again } = await service.ask('GET /api/diagnostics')

  expect(status).toBe(200)
  expect(body).toMatchObject({
    queue: { depth: expect.any(Number), deadRate: 0, leaseAnomalies: 0 },
    storage: {
      totalMemories: 3,
      deletedTombstones: 2,
      dbSizeBytes: expect.any(Number),
      score: 0.7,
      status: 'degraded',
      reasons: [{ code: 'tombstones', fix: null }],
    },
    index: { ftsRowCount: 1, memoriesRowCount: 1, ftsMismatch: false, embeddingCoverage: 1 },
    mutation: { recentRecovers: 6, recentDeletes: 8, score: 0.7, reasons: [{ code: 'recovers' }] },
    duplicate: { exactDuplicates: 0, totalActive: 1, score: 1 },
    provider: { recentTotal: 0, availabilityRate: 1 },
    connector: { configured: false, connectorCount: 0, score: 1 },
    graph: { entityCount: 0, edgeCount: 0, quality: 'unknown' },
    openclaw: { status: 'never-seen', lastHeartbeat: null },
    composite: { status: 'degraded' },
  })
  expect(body['openclaw']).not.toHaveProperty('score')
  const domains = body as unknown as Record<string, Domain>
  const sum = Object.entries(weights).reduce(
    (total, [name, weight]) => total + weight * (domains[name]?.score ?? Number.NaN),
    0,
  )
  expect(domains['composite']?.score).toBeCloseTo(sum, 6)
  // Cached for five seconds.
  expect(again['timestamp']).toBe(body['timestamp'])
  expect((await service.ask('GET /api/status')).body['health']).toMatchObject(
    Object(body['composite']),
  )
})

test('one domain is read by its name, and an unknown one is refused', async () => {
  const { body } = await service.ask('GET /api/diagnostics/queue')
  const unknown = await service.ask('GET /api/diagnostics/timestamp')

  expect(body).toMatchObject({ depth: expect.any(Number), status: 'healthy', reasons: [] })
  expect((await service.ask('GET /api/diagnostics/composite')).body).toMatchObject({
    score: expect.any(Number),
  })
  expect([unknown.status, unknown.body['code']]).toEqual([400, 'unknown_domain'])
  expect((await service.ask('GET /api/diagnostics/transcripts')).body).toHaveProperty('capture')
})

test('workloads and the safety of contents are counts', async () => {
  expect((await service.ask('GET /api/diagnostics/workloads')).body).toMatchObject({
    inference: { active: 0, agentSessions: 0, oldestAgeMs: null, byOperation: {} },
    providerSemaphore: { total: 0 },
  })
  expect((await service.ask('GET /api/diagnostics/memory-content-safety')).body).toMatchObject({
    policy: 'redact',
    memories: expect.any(Number),
    redacted: 0,
  })
})

test('a heartbeat of the plugin is shown, survives a restart, and is validated', async () => {
  const path = 'POST /api/diagnostics/openclaw/heartbeat'
  const beat = { pluginVersion: '1.2', hooksRegistered: ['start'], latencyMs: 4, errorCount: 2 }
  const saved = await service.ask(path, { body: beat })
  await service.restart()

  expect(saved.body).toEqual({ ok: true })
  const expected = {
    status: 'connected',
    pluginVersion: '1.2',
    hooksRegistered: ['start'],
    hooksFailed: 2,
    lastLatencyMs: 4,
  }
  expect((await service.ask('GET /api/diagnostics/openclaw')).body).toMatchObject(expected)
  expect((await service.ask('GET /api/harnesses/openclaw/health')).body).toMatchObject({
    id: 'openclaw',
    installed: false,
    heartbeat: expected,
  })
  expect((await service.ask('GET /api/harnesses/emacs/health')).status).toBe(404)
  const bad = [{}, { pluginVersion: 1 }, { pluginVersion: 'x'.repeat(129) }]
  for (const body of [...bad, { ...beat, hooksRegistered: Array(51).fill('a') }])
    expect((await service.ask(path, { body })).status).toBe(400)
})
