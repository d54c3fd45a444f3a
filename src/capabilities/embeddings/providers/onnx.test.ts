import { expect, onTestFinished, test } from 'vitest'
import { type Host, realHost } from '../../../kernel/host/host.ts'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { createTimeoutLatch } from '../breaker.ts'
import { embeddingSettings } from '../config.ts'
import { createEmbedders } from '../create-embedder.ts'
import { embedderContract } from '../embedder.contract.ts'
import type { Embedder } from '../embedder.ts'
import { noCredentials, noEvents, nothingStored } from '../embeddings.fixture.ts'
import { createOnnxEmbedder } from './onnx.ts'
import { installRuntime, plantModel } from './onnx-model.fixture.ts'
import { promptFormats } from './protocol.ts'

const timeoutMs = 30_000
/** The piece on which the runtime above never comes to an end. */
const hanging = { texts: ['Bradford'], kind: 'document' as const }
const unused = { provider: 'static' } as Embedder
const standalone = {
  outbound: { fetch: () => Promise.reject(new Error('Outbound requests are not allowed.')) },
  credentials: noCredentials,
  workspace: '.',
  storedVectors: nothingStored,
  events: noEvents,
}

async function create(folder = plantModel(), host: Host = realHost, latch = createTimeoutLatch()) {
  const needs = { host, folder: await folder, timeoutMs, latch }
  const { plain } = promptFormats
  const embedder = createOnnxEmbedder({ ...needs, promptFormat: undefined, impliedFormat: plain })
  onTestFinished(() => embedder.close())
  return embedder
}

embedderContract('a model in a folder', () => create())

test('the vector is the mean of all tokens, including the special ones', async () => {
  const [made] = await (await create()).embed({ texts: ['kitten'], kind: 'document' })
  // The pieces 101, 18401 and 102, each as the runtime above makes a row of it.
  const mean = [(101 % 7) + (18_401 % 7) + (102 % 7), 1 + 1 + 2, 3].map((sum) => sum / 3)
  const length = Math.hypot(...mean)

  for (const [at, value] of mean.entries()) expect(made?.whole[at]).toBeCloseTo(value / length, 5)
})

test('reports the missing package, and works once it is installed', async () => {
  const folder = await plantModel(false)
  const embedder = await create(Promise.resolve(folder))

  await expect(embedder.identity()).rejects.toMatchObject({
    kind: 'provider',
    message: expect.stringContaining('Run `npm install onnxruntime-node` in the folder models'),
  })
  await installRuntime(folder)
  expect(await embedder.identity()).toMatchObject({ dims: 3 })
})

test('a thread that times out is terminated and not called again', async () => {
  const host = manualClockHost()
  const embedder = await create(plantModel(), host)
  await embedder.identity()
  const late = embedder.embed(hanging)
  await Promise.resolve()
  host.advance(timeoutMs)

  await expect(late).rejects.toThrow(`no answer within ${timeoutMs} ms`)
  const later = embedder.embed({ texts: ['kitten'], kind: 'document' })
  await expect(later).rejects.toThrow('disabled until restart')
})

test('a timed-out folder stays disabled after a configuration change, another folder works', async () => {
  const host = manualClockHost()
  const folder = await plantModel()
  const configure = createEmbedders({ ...standalone, host }, unused)
  const open = (config: object) => {
    const embedder = configure(
      embeddingSettings.schema.parse({ provider: 'onnx', ...config }),
    ) as Embedder
    onTestFinished(() => embedder.close())
    return embedder
  }
  const first = open({ model: folder })
  await first.identity()
  const closed = first.embed(hanging)
  await Promise.resolve()
  await first.close()
  await expect(closed).rejects.toThrow()

  const second = open({ model: folder })
  await second.identity()
  const late = second.embed(hanging)
  await Promise.resolve()
  host.advance(timeoutMs)
  await expect(late).rejects.toThrow('disabled until restart')

  const third = open({ model: folder, budget_ms: 9 })
  await expect(third.identity()).rejects.toThrow('disabled until restart')
  expect(await open({ model: await plantModel() }).identity()).toMatchObject({ dims: 3 })
})

test('a long text has a vector of each passage, and a query has one', async () => {
  const embedder = await create()
  const first = 'kitten '.repeat(100)
  const text = `${first}${'harbour '.repeat(90)}`
  const [document] = await embedder.embed({ texts: [text], kind: 'document' })
  const [query] = await embedder.embed({ texts: [text], kind: 'query' })
  const [kitten] = await embedder.embed({ texts: [first.trim()], kind: 'document' })

  expect(document?.passages).toHaveLength(2)
  expect(document?.passages[0]?.[0]).toBeCloseTo(kitten?.whole[0] ?? 0, 1)
  expect(Math.hypot(...(document?.whole ?? []))).toBeCloseTo(1)
  expect(query?.passages).toEqual([])
})

test('the cosine of unrelated texts is measured with the first call', async () => {
  const embedder = await create()
  expect(embedder.baseCosine?.()).toBeUndefined()
  await embedder.identity()

  const base = embedder.baseCosine?.() ?? 0
  expect(base).toBeGreaterThan(0.5)
  expect(base).toBeLessThanOrEqual(0.95)
})
