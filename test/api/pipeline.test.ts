import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const file = join(service.workspace, 'agent.yaml')
const settings = `${await readFile(file, 'utf8')}# mine\nmemory:\n  pipelineV2:\n    enabled: true   # needed\n`
await writeFile(file, settings)
const admin = { role: 'admin', body: {} } as const
const read = async () => (await service.ask('GET /api/pipeline/status')).body

test('the status reports the mode, the workers and exact queues', async () => {
  expect(await read()).toMatchObject({
    mode: 'controlled-write',
    gateOpen: true,
    workers: {
      jobs: { running: true },
      embedding: { state: expect.any(String) },
      retention: { running: true },
      summary: { running: false },
    },
    queues: {
      memory: { pending: expect.any(Number), dead: 0 },
      summary: { pending: 0, leased: 0, completed: 0, failed: 0, dead: 0 },
    },
    diagnostics: { timestamp: expect.any(String), composite: { status: 'healthy' } },
    latency: { remember: { count: 0, p95: 0 }, recall: { count: 0 }, mutate: { count: 0 } },
    errorSummary: { total: 0, byStage: {}, recent: [] },
  })
})

test('pause holds over kill -9, retains the comments of the settings, and resume ends it', async () => {
  const paused = await service.ask('POST /api/pipeline/pause', admin)
  await service.kill()
  await service.restart()

  expect(paused.body).toMatchObject({
    success: true,
    changed: true,
    paused: true,
    file,
    mode: 'paused',
    quiescence: { activeAtStart: 0, aborted: 0, remaining: 0, timedOut: false },
  })
  expect(await readFile(file, 'utf8')).toBe(
    settings.replace('enabled: true', 'paused: true\n    enabled: true'),
  )
  expect(await read()).toMatchObject({ mode: 'paused', gateOpen: false })
  const nudged = await service.ask('POST /api/pipeline/nudge', admin)
  expect([nudged.status, nudged.body['code']]).toEqual([503, 'pipeline_paused'])
  const { body: ready } = await service.ask('GET /health/ready')
  expect(ready).toMatchObject({
    status: 'ready',
    checks: { capabilities: { pipeline: { status: 'degraded', mode: 'paused' } } },
  })

  const resumed = await service.ask('POST /api/pipeline/resume', admin)
  expect(resumed.body).toMatchObject({ changed: true, paused: false, mode: 'controlled-write' })
  expect(await read()).toMatchObject({ mode: 'controlled-write', gateOpen: true })
})

test('a transition to the current state changes nothing', async () => {
  const before = await readFile(file, 'utf8')
  const { status, body } = await service.ask('POST /api/pipeline/resume', admin)

  expect([status, body['changed']]).toEqual([200, false])
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('of two transitions at the same time one answers 409', async () => {
  const replies = await Promise.all(
    ['pause', 'resume'].map((name) => service.ask(`POST /api/pipeline/${name}`, admin)),
  )
  await service.ask('POST /api/pipeline/resume', admin)

  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(replies.map(({ body }) => body['code'])).toContain('pipeline_transition')
})

test('nudge wakes the workers', async () => {
  const { body } = await service.ask('POST /api/pipeline/nudge', admin)

  expect(body).toMatchObject({ nudged: true })
  expect(body['woke']).toEqual(expect.arrayContaining(['jobs', 'embedding', 'transcripts']))
})

test('invalid settings are refused before anything is written', async () => {
  const broken = 'memory: [\n'
  await writeFile(file, broken)
  const { status, body } = await service.ask('POST /api/pipeline/pause', admin)

  expect([status, body['code']]).toEqual([409, 'settings_broken'])
  expect(await readFile(file, 'utf8')).toBe(broken)
})

test('without a settings file the answer is 404', async () => {
  await rm(file)
  const { status, body } = await service.ask('POST /api/pipeline/pause', admin)
  await writeFile(file, settings)

  expect([status, body['code']]).toEqual([404, 'settings_missing'])
  expect(body['error']).toBe(`There is no settings file. Create an empty one: touch '${file}'`)
})
