import { basename } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeModelFolder, workingPackage } from '../support/model-folder.ts'
import { startModelServer } from '../support/model-server.ts'
import { type Service, startService } from '../support/start-service.ts'

const save = async (content: string, service: Service) =>
  (await service.ask('POST /api/memory/remember', { body: { content } })).body

/** Polls the status until it matches, because the work runs in the background. */
const until = (service: Service, expected: object) =>
  vi.waitFor(
    async () =>
      expect((await service.ask('GET /api/embeddings/status')).body).toMatchObject(expected),
    { timeout: 30_000, interval: 100 },
  )

test('works: reports a missing provider', async () => {
  const without = await start({ embedding: { provider: 'none' } })

  const saved = await save('Nobody makes a vector of this', without)
  const { body } = await without.ask('GET /api/embeddings/status')

  expect(saved['embedded']).toBe(false)
  expect(body).toMatchObject({
    provider: 'none',
    available: false,
    tracker: { state: 'disabled' },
  })
  expect(body['error']).toContain('disabled')
})

test('works: after a change of the model vectors are rebuilt, and failures are reported', async () => {
  const model = await startModelServer()
  onTestFinished(() => model.stop())
  const settings = { provider: 'ollama', model: 'small', base_url: model.url, ...longTimeouts }
  const remote = await start({
    embedding: settings,
    outbound: { allow: [model.url] },
    ...slowly,
  })

  expect(await save('The first harbour', remote)).toMatchObject({ embedded: true })
  model.behave('badly')
  expect(await save('The second harbour', remote)).toMatchObject({ embedded: false })
  await until(remote, { tracker: { state: 'waiting', total: 2, embedded: 1 } })
  model.behave('well')
  await until(remote, { tracker: { state: 'idle', embedded: 2 } })
  expect((await remote.ask('GET /api/embeddings/status')).body['base_url']).toBe(model.url)
})

test('works: a model in a local folder runs with its installed package', async () => {
  const folder = await makeModelFolder(workingPackage)
  const local = await start({ embedding: { provider: 'onnx', model: folder }, ...quickly })

  await save('The third harbour', local)

  await until(local, {
    available: true,
    dimensions: 3,
    tracker: { embedded: 1 },
  })
  expect((await local.ask('GET /api/embeddings/status')).body).toMatchObject({
    provider: 'onnx',
    model: basename(folder),
  })
})

const broken = "throw new Error('not for this machine')"
const endless = 'while (true);'
test.for([
  ['without that package', undefined, 'onnxruntime-node is not installed'],
  ['where it is broken', broken, 'not for this machine'],
  ['where it comes to no end', endless, 'disabled until restart'],
] as const)(
  'works: %s the reason is reported and everything else continues',
  async ([, runtime, reason]) => {
    const model = await makeModelFolder(runtime)
    const shortTimeout = runtime === endless && { timeout_ms: 500 }
    const embedding = { provider: 'onnx', model, ...longTimeouts, ...shortTimeout }
    const local = await start({ embedding, ...quickly })
    expect(await save('The fourth harbour', local)).toMatchObject({ embedded: false })
    const { body } = await local.ask('GET /api/embeddings/status')
    expect(body).toMatchObject({ provider: 'onnx', available: false })
    expect(body['error']).toContain(reason)
  },
)

test('works: a provider that does not answer delays no caller', async () => {
  const model = await startModelServer()
  onTestFinished(() => model.stop())
  model.behave('silently')
  const settings = { provider: 'ollama', base_url: model.url, budget_ms: 50 }
  const remote = await start({ embedding: settings, outbound: { allow: [model.url] } })

  expect(await save('Nobody answers', remote)).toMatchObject({ embedded: false })
  const { body } = await remote.ask('GET /api/embeddings/status')
  expect(body).toMatchObject({ provider: 'ollama', available: false })
  expect(body['error']).toContain('no answer')
  await expect
    .poll(async () => {
      const reply = await remote.ask('POST /api/memory/recall', { body: { query: 'who answers' } })
      return reply.body['meta']
    })
    .toMatchObject({ degradation: { stages: ['vectors'], cause: 'embedding_late' } })
})

/** Saves wait for the vector, also on a busy machine. */
const longTimeouts = { budget_ms: 10_000, query_timeout_ms: 10_000 }
/** Five failures within this test would open the circuit breaker for 30 seconds. */
const slowly = { memory: { pipelineV2: { embeddingTracker: { pollMs: 1000 } } } }
const quickly = { memory: { pipelineV2: { embeddingTracker: { pollMs: 100 } } } }

async function start(config: Readonly<Record<string, unknown>>): Promise<Service> {
  const started = await startService({ config: { auth: { mode: 'team' }, ...config } })
  onTestFinished(() => started.stop())
  return started
}
