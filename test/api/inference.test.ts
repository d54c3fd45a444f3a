import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { modelKey, phrase, startInferenceService } from '../support/inference-service.ts'
import { clients } from '../support/mcp-client.ts'

const { service, first, second, ask, execute, active, clearStates, healProviders, stop } =
  await startInferenceService()
afterAll(() => stop())
afterEach(() => healProviders())

const explain = (body: object = {}) => ask('POST /api/inference/explain', body)

describe('execute', () => {
  test('answers with text, usage, decision and attempts', async () => {
    const { status, body } = await execute({ maxTokens: 50 })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      text: 'Hello from the model.',
      usage: { inputTokens: 10, outputTokens: 5, totalCost: 20 / 1e6 },
      decision: { policyId: 'auto', targetRef: 'a/m' },
      attempts: [{ targetRef: 'a/m', ok: true }],
    })
    expect(first.requests.at(-1)?.headers.authorization).toBe(`Bearer ${modelKey}`)
    expect(JSON.stringify(first.requests.at(-1)?.body)).toContain(phrase)
  })

  test.each([
    ['500', { status: 500 } as const],
    ['silence', 'silence' as const],
    ['a cut reply', 'cut' as const],
    ['invalid JSON', 'invalid json' as const],
    ['another content type', 'html' as const],
    ['a redirect', 'redirect' as const],
    ['its own key in a refusal', 'repeated key' as const],
  ])('answers from the next target after %s of the first', async (_, fault) => {
    await clearStates()
    first.fail(fault)
    const { status, body } = await execute()

    expect(status).toBe(200)
    expect(body['attempts']).toMatchObject([
      { targetRef: 'a/m', ok: false, error: expect.any(String) },
      { targetRef: 'b/m', ok: true },
    ])
    expect(JSON.stringify(body)).not.toContain(modelKey)
  })

  test('names the target, its address and the setting after a redirect', async () => {
    await clearStates()
    first.fail('redirect')
    const { status, body } = await execute({ explicitTargets: ['a/m'] })

    expect(status).toBe(502)
    for (const text of ['target a', first.url, 'redirect', 'inference.targets.a.endpoint'])
      expect(body['error']).toContain(text)
  })

  test('that no target answers is 502 with the attempts', async () => {
    await clearStates()
    first.fail({ status: 503, message: `no: ${phrase}` })
    second.fail({ status: 503 })
    const { status, body } = await execute({ explicitTargets: ['a/m', 'b/m'] })

    expect(status).toBe(502)
    expect(body).toMatchObject({
      error: expect.stringContaining('status 503'),
      details: { code: 'execution-failed', attempts: [{ ok: false }, { ok: false }] },
    })
    expect(JSON.stringify(body)).not.toContain(phrase)
  })

  test('over the limit of calls at the same time is 429 at once', async () => {
    await clearStates()
    first.fail('silence')
    second.fail('silence')
    const running = [execute({ timeoutMs: 900 }), execute({ timeoutMs: 900 })]
    await expect.poll(active).toBe(2)
    const refused = await execute()

    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'concurrency_limit', details: { kind: 'execute', limits: { execute: 2 } } },
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    for (const { status, body } of await Promise.all(running)) {
      expect(status).toBe(502)
      expect(JSON.stringify(body)).toContain('timeout')
    }
    expect(await active()).toBe(0)
  })

  test('of a spent budget is 429 without a call', async () => {
    await clearStates()
    const before = first.requests.length + second.requests.length
    const { status, body } = await execute({ agentId: 'poor', explicitTargets: ['a/m', 'b/m'] })

    expect(status).toBe(429)
    expect(body).toMatchObject({
      code: 'budget_exhausted',
      details: { code: 'budget-exhausted', budgets: ['spent'], resetsAt: expect.any(String) },
    })
    expect(first.requests.length + second.requests.length).toBe(before)
  })

  test('of private data never reaches a remote target', async () => {
    await clearStates()
    const before = first.requests.length
    const named = await execute({ privacy: 'local_only', explicitTargets: ['a/m'] })
    const routed = await execute({ privacy: 'local_only' })

    expect(named.body).toMatchObject({ details: { code: 'no-candidates' } })
    expect(routed.body).toMatchObject({ decision: { targetRef: 'home/small' } })
    expect(first.requests.length).toBe(before)
  })
})

describe('a request is refused', () => {
  test.each<[string, object, number]>([
    ['without a prompt', { prompt: undefined }, 400],
    ['with a blank prompt', { prompt: '  ' }, 400],
    ['with a long prompt', { prompt: 'x'.repeat(200_001) }, 413],
    ['with a long agent', { agentId: 'x'.repeat(161) }, 413],
    ['with signs in an agent', { agentId: 'a b' }, 400],
    ['with a long task class', { taskClass: 'x'.repeat(161) }, 413],
    ['with signs in a policy', { policy: 'a b' }, 400],
    ['with a target that is no ref', { explicitTargets: ['a'] }, 400],
    ['with a target of an empty part', { explicitTargets: ['a/'] }, 400],
    ['with nine targets', { explicitTargets: Array.from({ length: 9 }, (_, n) => `a/${n}`) }, 400],
    ['with an unknown operation', { operation: 'dream' }, 400],
    ['with an unknown tier', { privacy: 'secret' }, 400],
    ['with a number as text', { maxTokens: '5' }, 400],
    ['with a boolean as text', { requireTools: 'yes' }, 400],
    ['with a body over the limit', { prompt: 'ä'.repeat(300_000) }, 413],
  ])('%s', async (_, body, status) => {
    expect((await execute(body)).status).toBe(status)
  })

  test.each([
    '/api/inference/explain',
    '/api/inference/execute',
    '/api/inference/stream',
    '/v1/chat/completions',
    '/v1/embeddings',
  ])('invalid JSON or no object at %s', async (path) => {
    const before = first.requests.length
    for (const body of ['{"prompt":"Go."}}', '{"prompt":', '[]', '"Go."', 'null']) {
      const headers = {
        authorization: `Bearer ${service.tokenFor('admin')}`,
        'content-type': 'application/json',
      }
      const { status } = await fetch(service.url + path, { method: 'POST', headers, body })
      expect([body, status]).toEqual([body, 400])
    }
    expect(first.requests.length).toBe(before)
  })

  test('negative numbers count as 0, and large ones as the maximum', async () => {
    await clearStates()
    const body = { maxTokens: -5, timeoutMs: 1e9, expectedInputTokens: -1, latencyBudgetMs: -2 }

    expect((await execute(body)).status).toBe(200)
  })

  test('an explain body over its limit is 413', async () => {
    expect((await explain({ promptPreview: 'x'.repeat(131_073) })).status).toBe(413)
  })
})

test('the MCP tool memory_search passes an aggregate to the model, and saves it once', async () => {
  await clearStates()
  await ask('POST /api/memory/remember', { content: 'the okapi sleeps in the north barn' })
  const mcp = await clients['newest over HTTP'](service, { token: service.tokenFor('admin') })
  const input = { query: 'where does the okapi sleep', aggregate: true, aggregate_budget: 'small' }
  const save = () => mcp.call('memory_search', { ...input, save_aggregate: true })
  const replies = [await save(), await save()]
  await mcp.close()

  const rows = replies.map(({ structured }) => Object(structured).results)
  expect(rows).toEqual([rows[0], rows[0]])
  expect(rows[0]).toMatchObject([{ content: 'Hello from the model.' }])
  expect(JSON.stringify(first.requests.at(-1)?.body)).toContain('north barn')
  const saved = await ask(`GET /api/memory/${rows[0][0].id}`)
  expect(saved).toMatchObject({ status: 200, body: { content: 'Hello from the model.' } })
})

describe('explain', () => {
  test('decides without a call, the same each time', async () => {
    await clearStates()
    const before = first.requests.length
    const [one, two] = [
      await explain({ promptPreview: 'a' }),
      await explain({ promptPreview: 'a' }),
    ]

    expect(one).toMatchObject({
      status: 200,
      body: { targetRef: 'a/m', fallbackTargetRefs: ['b/m', 'home/small'] },
    })
    expect(JSON.stringify(two.body)).toBe(JSON.stringify(one.body))
    expect(first.requests.length).toBe(before)
  })

  test('of an error of the router is 400 with its details', async () => {
    expect(await explain({ policy: 'none' })).toMatchObject({
      status: 400,
      body: { details: { code: 'policy-not-found' } },
    })
    expect(await explain({ privacy: 'local_only', requireMultimodal: true })).toMatchObject({
      status: 400,
      body: { details: { code: 'no-candidates', trace: { candidates: expect.any(Array) } } },
    })
  })
})
