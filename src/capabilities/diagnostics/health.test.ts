import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DomainCheck } from '../../kernel/capability/domain.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { createLog, openLog } from '../../kernel/log/log.ts'
import { writeDamaged } from '../../kernel/testing/damaged-file.ts'
import { openTestSqlite } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createIntegrityCheck } from './database-checks.ts'
import { readHealth, readReadiness } from './health.ts'
import { readStatus } from './status.ts'

/** No deadline passes. */
const host = { ...fixedHost(), sleep: () => new Promise<void>(() => undefined) }

async function makeNeeds(checks: readonly HealthCheck[] = [], options: { file?: string } = {}) {
  const database = await openTestSqlite(options)
  const service = { stopping: false, problem: '' }
  const needs = {
    host,
    db: database.db,
    background: database.background,
    checks: sealedPoint(...checks),
    domains: sealedPoint<DomainCheck>(),
    gate: { active: () => [] },
    modelCalls: () => ({ total: 0 }),
    contentSafety: () => Promise.reject(new Error('not counted')),
    secretPolicy: () => 'redact' as const,
    report: async () => ({
      timestamp: '',
      domains: new Map(),
      composite: { score: 0.4, status: 'degraded' as const },
    }),
    log: createLog('silent'),
    self: {
      version: '1.0.0',
      workspace: '/w',
      agentId: 'default',
      mode: 'local',
      logDir: '/w/l',
      logPaths: [],
      engine: database.engine,
      databaseFile: database.file ?? null,
      databaseServer: null,
      startedAt: host.now(),
      bindHost: '127.0.0.1',
      port: () => 1,
      stopping: () => service.stopping,
    },
    settings: {
      problem: () => service.problem || undefined,
      waiting: () => [],
      pipeline: () => ({}),
    },
    entries: openLog({ level: 'silent' }),
    eventLoop: () => null,
    agentCreatedAt: () => Promise.resolve(null),
    update: () => ({ updateAvailable: false, pendingRestart: null }),
  }
  return { service, database, needs: { ...needs, integrity: createIntegrityCheck(needs) } }
}

test('a working service is healthy, its integrity unknown before the check', async () => {
  const { needs } = await makeNeeds()

  const before = await readHealth(needs)
  await needs.integrity.run()

  expect(before).toMatchObject({
    status: 'healthy',
    dbReader: 'ok',
    dbWriter: 'ok',
    databaseIntegrity: { state: 'unknown', detail: 'not checked yet' },
  })
  expect(needs.integrity.result()).toMatchObject({ state: 'ok', checkedAt: expect.any(String) })
  const { resources } = await readStatus(needs)
  expect(Object(resources).databaseBytes).toBeGreaterThan(0)
})

test('a closed database is not ready, with a reason', async () => {
  const { needs, database } = await makeNeeds()
  await database.close()
  await needs.integrity.run()

  expect(await readReadiness(needs)).toMatchObject({
    status: 'not_ready',
    reasons: ['the database cannot be read: failed', expect.stringContaining('unavailable')],
  })
  expect((await readHealth(needs)).status).toBe('degraded')
})

test('a damaged table is named and makes the service not ready', async () => {
  const file = join(await temporaryFolder(), 'test.db')
  await writeDamaged(file)
  const { needs } = await makeNeeds([], { file })

  await needs.integrity.run()

  const detail = expect.stringMatching(/^torn: .*page/s)
  expect(needs.integrity.result()).toMatchObject({ state: 'corrupt', detail })
  expect(await readReadiness(needs)).toMatchObject({
    status: 'not_ready',
    reasons: [expect.stringContaining('the integrity of the database is corrupt: torn')],
  })
})

test('missing reports appear as unknown', async () => {
  const broken = { name: 'queue', check: () => Promise.reject(new Error('no table')) }
  const { needs } = await makeNeeds([broken])

  expect(await readStatus(needs)).toMatchObject({
    pipeline: { queue: { memory: { completeness: 'unknown' } } },
    memories: { live: null, bytesPerMemory: null },
    health: { score: 0.4, status: 'degraded' },
  })
})

test('optional components are reported and do not affect readiness', async () => {
  const { needs, service } = await makeNeeds([
    {
      name: 'embedding',
      check: async () => toHealth(['the model is slow']),
    },
    { name: 'queue', check: () => Promise.reject(new Error('no table')) },
  ])

  expect(await readReadiness(needs)).toMatchObject({
    status: 'ready',
    reasons: ['embedding: the model is slow', 'queue: its check failed: no table'],
  })
  service.stopping = true
  expect(await readReadiness(needs)).toMatchObject({ status: 'not_ready' })
  expect(await readHealth(needs)).toMatchObject({ status: 'shutting_down' })
})

test('health and status report broken settings', async () => {
  const { needs, service } = await makeNeeds()
  service.problem = 'agent.yaml: auth.mode: no'

  expect((await readHealth(needs)).settings).toBe('broken')
  expect(await readStatus(needs)).toMatchObject({ settings: { problem: service.problem } })
})
