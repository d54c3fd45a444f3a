import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const admin = (body: object = {}, headers: Record<string, string> = {}) =>
  ({ role: 'admin', body, headers }) as const
const repair = (name: string, ask = admin()) => service.ask(`POST /api/repair/${name}`, ask)
const read = async (path: string) => (await service.ask(`GET ${path}`, { role: 'admin' })).body

test('a repair answers its result, and its run names the actor', async () => {
  const headers = {
    'x-svc-actor-type': 'agent',
    'x-svc-reason': 'a backlog',
    'x-svc-request-id': 'request-7',
  }
  const { status, body } = await repair('requeue-dead', admin({}, headers))

  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      action: 'requeueDeadJobs',
      success: true,
      affected: 0,
      message: 'Requeued 0 dead jobs.',
    },
  })
  expect(await read(`/api/repair/runs/${body['runId']}`)).toMatchObject({
    name: 'requeue-dead',
    action: 'requeueDeadJobs',
    state: 'succeeded',
    isComplete: true,
    actorType: 'operator',
    reason: 'a backlog',
    requestId: 'request-7',
  })
})

test('a success is an event of the history, with the memory `system`', async () => {
  const { rows } = await read('/api/diagnostics/database/tables/memory_history/sample')

  expect(rows).toContainEqual(
    expect.objectContaining({
      memory_id: 'system',
      event: 'none',
      actor_type: 'operator',
      reason: 'a backlog',
      request_id: 'request-7',
      metadata: expect.stringContaining('"repairAction":"requeueDeadJobs"'),
    }),
  )
})

test('a second repair within the cooldown is 429, before and after a restart', async () => {
  const isDenied = async () => {
    const { status, headers, body } = await repair('requeue-dead')
    expect([status, body]).toMatchObject([
      429,
      { action: 'requeueDeadJobs', success: false, affected: 0, code: 'cooldown' },
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(body['retryAfter'])).toBeGreaterThan(Date.now())
  }
  await isDenied()
  await service.restart()
  await isDenied()
})

test('a dry run has no cooldown and no run', async () => {
  const before = await read('/api/repair/runs')
  for (let round = 0; round < 2; round++) {
    const { status, body } = await repair('retention-sweep', admin({ dryRun: true }))
    expect([status, body]).toMatchObject([
      200,
      {
        action: 'retention_sweep',
        success: true,
        affected: 0,
        details: { tombstones: 0, history: 0, completedJobs: 0, deadJobs: 0 },
      },
    ])
  }

  expect(await read('/api/repair/runs')).toEqual(before)
})

test('a check of the text index costs nothing, and its repair has a cooldown', async () => {
  const intact = { action: 'checkFtsConsistency', success: true, affected: 0 }
  const calls = [{}, {}, { repair: true }, {}, { repair: true }]
  const replies = []
  for (const body of calls) replies.push(await repair('check-fts', admin(body)))

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  for (const { body } of replies.slice(0, 4)) expect(body).toMatchObject(intact)
})

test.each([
  ['release-leases', 'releaseStaleLeases'],
  ['clean-orphans', 'cleanOrphanedEmbeddings'],
  ['re-embed', 'reembedMissingMemories'],
  ['re-embed-migration', 'reembedModelMigration'],
  ['deduplicate', 'deduplicateMemories'],
  ['relink-entities', 'relink-entities'],
  ['resync-vec', 'resyncVectorIndex'],
  ['rebuild-indexes', 'rebuildIndexes'],
])('%s changes nothing in intact data', async (name, action) => {
  const { status, body } = await repair(name)

  expect([status, body]).toMatchObject([200, { action, success: true, affected: 0 }])
})

test('the gaps are counted with their coverage', async () => {
  expect(await read('/api/repair/embedding-gaps')).toEqual({
    unembedded: 0,
    total: 0,
    coverage: '100%',
  })
})

test('duplicates, links and models are reported with their own fields', async () => {
  const preview = async (name: string) => (await repair(name, admin({ dryRun: true }))).body

  expect(await read('/api/repair/dedup-stats')).toEqual({
    exactClusters: 0,
    exactExcess: 0,
    totalActive: 0,
    duplicates: [],
  })
  expect(await preview('deduplicate')).toMatchObject({ clusters: 0 })
  expect(await preview('relink-entities')).toMatchObject({
    dryRun: true,
    processed: 0,
    remaining: 0,
    projectedRemaining: 0,
  })
  expect(await preview('re-embed-migration')).toMatchObject({
    totalMatching: 0,
    details: { estimatedBatches: 0, vectorIndexRebuildRequired: false, sources: [] },
  })
  expect(await read('/api/repair/integrity-check')).toMatchObject({
    state: expect.stringMatching(/^(ok|unknown)$/),
  })
})

test('fields of another type are refused before anything runs', async () => {
  for (const [name, body] of [
    ['check-fts', { repair: 'yes' }],
    ['retention-sweep', { dryRun: 1 }],
    ['clean-orphans', []],
    ['re-embed', { batchSize: 0 }],
    ['re-embed', { batchSize: 1.5 }],
    ['deduplicate', { batchSize: '5' }],
  ] as const) {
    const { status } = await repair(name, admin(body))
    expect([name, status]).toEqual([name, 400])
  }
  expect((await repair('backfill-skipped')).body['code']).toBe('backfill_retired')
  expect((await repair('unknown')).status).toBe(404)
})

test('the runs are listed by name, state and page', async () => {
  const page = await read('/api/repair/runs?limit=1')
  const rest = await read(`/api/repair/runs?limit=500&cursor=${page['nextCursor']}`)
  const some = await read('/api/repair/runs?name=check-fts&state=succeeded')

  expect(page['runs']).toHaveLength(1)
  expect(rest['runs']).not.toContainEqual((page['runs'] as unknown[])[0])
  expect(some['runs']).toMatchObject([{ name: 'check-fts' }])
  expect((await service.ask('GET /api/repair/runs/none', { role: 'admin' })).status).toBe(404)
  expect((await service.ask('GET /api/repair/runs?cursor=x', { role: 'admin' })).status).toBe(400)
})

test.each([
  'repair/re-embed',
  'pipeline/pause',
  'update/run',
  'update/config',
  'git/init',
  'diagnostics/openclaw/heartbeat',
  'auth/api-keys',
])('a body over 64 KiB is refused by POST /api/%s', async (path) => {
  const { status } = await service.ask(`POST /api/${path}`, admin({ filler: 'x'.repeat(65_536) }))
  expect(status).toBe(413)
})
