import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  admin,
  modelKey,
  parseEvents,
  phrase,
  startInferenceService,
} from '../support/inference-service.ts'
import { listFilesHolding } from '../support/list-files-holding.ts'
import { startService } from '../support/start-service.ts'

const {
  service,
  settings,
  first,
  ask,
  execute,
  status,
  active,
  clearStates,
  openStream,
  healProviders,
  stop,
} = await startInferenceService()
afterAll(() => stop())
afterEach(() => healProviders())

describe('a stream', () => {
  test('has meta, deltas and one terminal event', async () => {
    await clearStates()
    const reply = await openStream()
    const events = parseEvents(await reply.text())

    expect(reply.headers.get('content-type')).toContain('text/event-stream')
    const requestId = reply.headers.get('x-svc-request-id')
    expect(events[0]).toMatchObject({
      event: 'meta',
      data: { requestId, decision: { targetRef: 'a/m' } },
    })
    const text = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text)
    expect(text.join('')).toBe('Hello from the model.')
    expect(events.at(-1)).toMatchObject({
      event: 'done',
      data: {
        requestId,
        text: text.join(''),
        usage: { inputTokens: 10 },
        attempts: [{ ok: true }],
      },
    })
    expect(
      events.filter(({ event }) => ['done', 'error', 'cancelled'].includes(event)),
    ).toHaveLength(1)
  })

  test('that is cut ends with an error and the partial text', async () => {
    await clearStates()
    first.fail('cut')
    const events = parseEvents(await (await openStream({ explicitTargets: ['a/m'] })).text())

    expect(events.at(-1)).toMatchObject({ event: 'error', data: { error: expect.any(String) } })
  })

  test('that cannot start is plain JSON', async () => {
    await clearStates()
    first.fail({ status: 500 })
    const reply = await openStream({ explicitTargets: ['a/m'] })

    expect(reply.status).toBe(502)
    expect(await reply.json()).toMatchObject({ details: { code: 'execution-failed' } })
  })

  test('is cancelled by its id; an unknown id is 404', async () => {
    await clearStates()
    first.fail('stall')
    const reply = await openStream({ explicitTargets: ['a/m'] })
    const id = reply.headers.get('x-svc-request-id')
    expect(await ask(`DELETE /api/inference/requests/${id}`)).toMatchObject({
      status: 200,
      body: { ok: true, requestId: id },
    })

    expect(parseEvents(await reply.text()).at(-1)).toMatchObject({ event: 'cancelled' })
    expect((await ask(`DELETE /api/inference/requests/${id}`)).status).toBe(404)
    await expect.poll(() => first.active()).toBe(0)
  })

  test('closes the provider within a second when its client goes away', async () => {
    await clearStates()
    first.fail('stall')
    const client = new AbortController()
    await openStream({ explicitTargets: ['a/m'] }, client.signal)
    expect(first.active()).toBe(1)
    client.abort()

    await expect.poll(() => first.active(), { timeout: 3_000 }).toBe(0)
    await expect.poll(active).toBe(0)
  })
})

describe('read operations', () => {
  test('the status shows targets, issues, concurrency and budgets, and no credential', async () => {
    const body = await status()

    expect(body).toMatchObject({
      enabled: true,
      source: 'explicit',
      targetRefs: ['a/m', 'b/m', 'home/small'],
      configIssues: [],
      runtimeSnapshot: { targets: { 'home/small': { available: true } } },
      budgets: [{ id: 'spent', state: 'ok' }],
      concurrency: { limits: { execute: 2, total: 24 } },
    })
    expect(JSON.stringify(body)).not.toMatch(/MODEL_KEY|credentialRef/)
  })

  test('the history has the calls without their prompts', async () => {
    await execute({ privacy: 'local_only', explicitTargets: ['a/m'] })
    const { body } = await ask('GET /api/inference/history?failures=1&limit=500')
    const events = body['events'] as readonly Record<string, unknown>[]

    expect(body).toMatchObject({ enabled: true, summary: { total: events.length } })
    expect(events.map(({ errorCode }) => errorCode)).toEqual(
      expect.arrayContaining(['CANCELLED', 'ERROR', 'NO_CANDIDATES']),
    )
    expect(events.map(({ event }) => event)).toContain('inference.fallback')
    expect(new Set(events.map(({ agentId }) => agentId))).toEqual(new Set(['ada', 'default']))
    expect(JSON.stringify(body)).not.toContain('canary')
    const [, one] = (await ask('GET /api/inference/history')).body['events'] as { id: string }[]
    const { body: only } = await ask(`GET /api/inference/history?id=${one?.id}`)
    expect(only['events']).toEqual([one])
    expect((await ask('GET /api/inference/history?id=none')).body['events']).toEqual([])
    expect((await ask('GET /api/inference/history?event=other')).status).toBe(400)
    expect((await ask('GET /api/inference/history?since=soon')).status).toBe(400)
  })

  test('the usage sums up calls by group', async () => {
    const { body } = await ask('GET /api/inference/usage?by=target')

    expect(body).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ key: 'a/m' })]),
      totals: { calls: expect.any(Number), inputTokens: expect.any(Number) },
    })
  })

  test('the catalog has models of the table and of running servers', async () => {
    const { body } = await ask('GET /api/inference/catalog')

    expect(body).toMatchObject({
      providers: expect.arrayContaining(['anthropic', 'openai', 'home']),
      agentClients: expect.arrayContaining(['claude', 'codex']),
      oauthProviders: expect.arrayContaining([expect.objectContaining({ id: 'openrouter' })]),
    })
  })

  test('the models are refreshed once a minute', async () => {
    expect((await ask('POST /api/pipeline/models/refresh')).status).toBe(200)
    expect(await ask('POST /api/pipeline/models/refresh')).toMatchObject({
      status: 429,
      body: { throttled: true },
    })
    const { body } = await ask('GET /api/pipeline/models?provider=anthropic')
    expect((body['models'] as unknown[]).length).toBeGreaterThan(5)
  })
})

test('a broken default policy is 400 with issues', async () => {
  const broken = { ...settings, defaultPolicy: 'none', policies: { p: {} } }
  const own = await startService({ config: { inference: broken } })
  try {
    expect(await own.ask('GET /api/inference/status')).toMatchObject({
      status: 400,
      body: { details: { issues: [{ severity: 'error', ref: 'none' }], warnings: [] } },
    })
    expect(await own.ask('POST /api/inference/explain', { ...admin, body: {} })).toMatchObject({
      status: 400,
      body: { details: { code: 'invalid-config' } },
    })
  } finally {
    await own.stop()
  }
})

test('without a model, operations say so and the status is 200', async () => {
  const own = await startService({ config: { inference: { targets: { x: { executor: 'odd' } } } } })
  try {
    expect(await own.ask('GET /api/inference/status')).toMatchObject({
      status: 200,
      body: { enabled: false, source: 'disabled', configIssues: [{ severity: 'warning' }] },
    })
    for (const operation of ['explain', 'execute', 'stream'])
      expect(
        await own.ask(`POST /api/inference/${operation}`, { ...admin, body: { prompt: 'x' } }),
      ).toMatchObject({ status: 503, body: { code: 'inference_disabled' } })
  } finally {
    await own.stop()
  }
})

test('neither the key nor the prompt is in the workspace or the log', async () => {
  expect(service.output()).not.toMatch(/canary/)
  for (const text of [modelKey, phrase])
    expect(await listFilesHolding(service.workspace, text)).toEqual([])
})
