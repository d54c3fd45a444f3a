import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Host, realHost } from '../../../kernel/host/host.ts'
import { steeredHost } from '../../../kernel/testing/steered-host.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { createTimeoutLatch } from '../breaker.ts'
import { embeddingSettings } from '../config.ts'
import { createEmbedders } from '../create-embedder.ts'
import { embedderContract } from '../embedder.contract.ts'
import type { Embedder } from '../embedder.ts'
import { noCredentials, nothingStored } from '../embeddings.fixture.ts'
import { readTokenizer } from '../tokenizer.fixture.ts'
import { createOnnxEmbedder } from './onnx.ts'
import { promptFormats } from './protocol.ts'

/** As the real one from outside: two rows for each word piece would be its last layer. */
const runtime = `
export class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }) }
}
export const InferenceSession = {
  create: async (file) => ({
    inputNames: ['input_ids', 'attention_mask'],
    run: async ({ input_ids, attention_mask, ...others }) => {
      if (Object.keys(others).length > 0) throw new Error('Not requests for.')
      const ids = [...input_ids.data].map(Number)
      if (ids.includes(9999)) await new Promise(() => {})
      const data = Float32Array.from(ids.flatMap((id) => [id % 7, id % 5, 1]))
      return { last_hidden_state: { dims: [1, ids.length, 3], data } }
    },
  }),
}
`

const timeoutMs = 30_000
/** The piece on which the runtime above never comes to an end. */
const hanging = { texts: ['Bradford'], kind: 'document' as const }
const unused = { provider: 'static' } as Embedder
const standalone = {
  outbound: { fetch: () => Promise.reject(new Error('Outbound requests are not allowed.')) },
  credentials: noCredentials,
  workspace: '.',
  stored: nothingStored,
}

/** A folder with a model, and the package that a user installs next to it. */
async function plantModel(withRuntime = true): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(await readTokenizer()))
  await writeFile(join(folder, 'model.onnx'), '')
  if (withRuntime) await installRuntime(folder)
  return folder
}

async function installRuntime(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules', 'onnxruntime-node')
  await mkdir(installed, { recursive: true })
  const about = { name: 'onnxruntime-node', type: 'module', exports: './index.js' }
  await writeFile(join(installed, 'package.json'), JSON.stringify(about))
  await writeFile(join(installed, 'index.js'), runtime)
}

async function create(folder = plantModel(), host: Host = realHost, latch = createTimeoutLatch()) {
  const needs = { host, folder: await folder, timeoutMs, latch }
  const embedder = createOnnxEmbedder({ ...needs, promptFormat: promptFormats.plain })
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
    message: 'the package onnxruntime-node is not installed',
  })
  await installRuntime(folder)
  expect(await embedder.identity()).toMatchObject({ dims: 3 })
})

test('a thread that times out is terminated and not called again', async () => {
  const host = steeredHost()
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
  const host = steeredHost()
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
