import { expect, test } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { failWith, hanging, openInference, replyOf, twoTargets } from './inference.fixture.ts'
import { createModels, type ModelRequest } from './models.ts'

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('no error'),
    (error) => error,
  )

function requestOf(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    operation: 'aggregate_recall',
    agentId: 'ann',
    messages: [{ role: 'user', content: 'summarize' }],
    maxTokens: 100,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    ...changes,
  }
}

async function openModels(given: Parameters<typeof openInference>[0] = {}) {
  const inference = await openInference(given)
  return { ...inference, models: createModels(inference.router, inference.router.prices) }
}

test('a call returns the text, the parsed object and the target', async () => {
  const text = '```json\n{"answer": 1}\n```'
  const { models, calls } = await openModels({
    behaviours: { a: { complete: async () => replyOf(text) } },
  })
  const schema = { type: 'object' }

  await expect(models.run(requestOf({ schema }))).resolves.toMatchObject({
    object: { answer: 1 },
    targetRef: 'a/m',
    usage: { outputTokens: 3 },
  })
  expect(calls[0]).toMatchObject({ maxTokens: 100, responseFormat: { type: 'json', schema } })
})

test('a reply that is no JSON has no object', async () => {
  const { models } = await openModels()

  expect((await models.run(requestOf({ schema: {} }))).object).toBeUndefined()
})

test('no target is a refusal without the text of a provider', async () => {
  const failure = failWith({ kind: 'http', status: 500, providerMessage: 'canary text' })
  const { models } = await openModels({ behaviours: { a: failure, b: failure } })
  const error = await errorOf(models.run(requestOf()))

  expect(error).toMatchObject({ code: 'inference_unavailable', kind: 'unavailable' })
  expect(JSON.stringify([error.message, error.details])).not.toContain('canary')
})

test('four calls run, 64 wait, and the next one is refused', async () => {
  const client = new AbortController()
  const { models, router } = await openModels({ host: realHost, behaviours: { a: hanging() } })
  const calls = Array.from({ length: 68 }, () =>
    errorOf(models.run(requestOf({ signal: client.signal }))),
  )
  await expect(errorOf(models.run(requestOf()))).resolves.toMatchObject({ code: 'queue_full' })
  await expect.poll(() => router.concurrency.active().execute).toBe(4)

  client.abort(new Error('gone'))
  for (const error of await Promise.all(calls)) expect(error.message).toBe('gone')
  await expect.poll(() => router.concurrency.active().execute).toBe(0)
})

test('a waiting call runs once another has ended', async () => {
  const open = Promise.withResolvers<void>()
  const { models } = await openModels({
    host: realHost,
    behaviours: {
      a: {
        complete: async () => {
          await open.promise
          return replyOf('late')
        },
      },
    },
  })
  const calls = Array.from({ length: 6 }, () => models.run(requestOf()))
  open.resolve()

  await expect(Promise.all(calls)).resolves.toHaveLength(6)
})

test('readiness and cost follow the settings, the gate and the price', async () => {
  const { models, gate, change } = await openModels()
  const tokens = { input: 1_000, output: 1_000 }
  expect(models.isReady('repair', 'ann')).toBe(true)
  expect(models.estimateCost('repair', 'ann', tokens)).toBe(0.002)

  await gate.close()
  expect([models.isReady('repair', 'ann'), models.isReady('interactive', 'ann')]).toEqual([
    false,
    true,
  ])
  change({ targets: { home: { executor: 'ollama', models: { m: { model: 'm' } } } } })
  expect(models.estimateCost('interactive', 'ann', tokens)).toBe(0)
  change({ targets: { b: { ...twoTargets.targets.b, models: { m: { model: 'unheard-of' } } } } })
  expect(models.estimateCost('interactive', 'ann', tokens)).toBeNull()
  change({})
  expect(models.isReady('interactive', 'ann')).toBe(false)
})
