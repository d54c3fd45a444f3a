import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realHost } from '../../../kernel/host/host.ts'
import { createLog } from '../../../kernel/log/log.ts'
import { outboundSettings } from '../../../kernel/outbound/config.ts'
import { createOutbound, type Outbound } from '../../../kernel/outbound/outbound.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { createTimeoutLatch } from '../breaker.ts'
import { createOnnxEmbedder } from '../providers/onnx.ts'
import { installRuntime, plantModel } from '../providers/onnx-model.fixture.ts'
import { promptFormats } from '../providers/protocol.ts'
import { createLocalModels } from './local-models.ts'
import { hashFile } from './model-settings.ts'

const noOutbound: Pick<Outbound, 'fetch'> = {
  fetch: () => Promise.reject(new Error('Outbound requests are not allowed.')),
}

async function createModels(
  outbound = noOutbound,
  { workspace, withRuntime = true }: { workspace?: string; withRuntime?: boolean } = {},
) {
  const folder = workspace ?? (await temporaryFolder())
  if (withRuntime) await installRuntime(join(folder, 'models'))
  const models = createLocalModels({
    host: realHost,
    log: createLog('silent'),
    outbound,
    workspace: folder,
    config: () => ({ provider: 'onnx', model: 'models/small' }),
  })
  onTestFinished(() => models.stop())
  const ended = () =>
    vi.waitFor(
      async () => {
        const { installation } = await models.list()
        expect(installation?.state).not.toBe('running')
        return installation
      },
      { timeout: 10_000 },
    )
  return { models, folder, ended }
}

/** Serves the files of a folder by range requests, behind a redirect. */
async function serveFolder(folder: string, intercept: RequestListener = () => {}) {
  const server = createServer((request, response) => {
    intercept(request, response)
    if (response.writableEnded || response.destroyed) return
    const path = request.url ?? ''
    if (!path.startsWith('/files/')) {
      response.writeHead(302, { location: `/files${path.slice('/model'.length)}` }).end()
      return
    }
    void readFile(join(folder, path.slice('/files/'.length))).then(
      (body) => {
        const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
        const part = body.subarray(Number(from), Number(to) + 1)
        const range = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`
        response.writeHead(206, { etag: `"${body.length}"`, 'content-range': range }).end(part)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = outboundSettings.schema.parse({ allow: [url] })
  const outbound = createOutbound({ host: realHost, config: () => config })
  onTestFinished(async () => {
    await outbound.close()
    server.closeAllConnections()
    server.close()
  })
  return { source: `${url}/model`, outbound }
}

async function plantConfiguredModel(): Promise<string> {
  const folder = await plantModel(false)
  const model = Buffer.alloc(9 * 1024 * 1024, 'm')
  await writeFile(join(folder, 'model.onnx'), model)
  await writeFile(join(folder, 'config.json'), JSON.stringify({ max_position_embeddings: 128 }))
  const prompts = { query: 'query: ', document: 'passage: ' }
  await writeFile(join(folder, 'config_sentence_transformers.json'), JSON.stringify({ prompts }))
  return folder
}

test('a folder is installed with its own configuration and the hashes of its files', async () => {
  const source = await plantConfiguredModel()
  const { models, folder, ended } = await createModels()

  await models.install({ name: 'small', source })

  expect(await ended()).toMatchObject({ state: 'completed', name: 'small' })
  const { models: listed } = await models.list()
  expect(listed).toEqual([
    expect.objectContaining({
      name: 'small',
      isUsed: true,
      pooling: 'mean',
      maxTokens: 128,
      queryPrefix: 'query: ',
      documentPrefix: 'passage: ',
      dimensions: 3,
    }),
  ])
  const sha256 = await hashFile(join(source, 'model.onnx'))
  expect(listed[0]?.files).toContainEqual({ file: 'model.onnx', bytes: 9 * 1024 * 1024, sha256 })
  expect(await readdir(join(folder, 'models'))).toEqual(['node_modules', 'small'])
})

test('the embedder uses the prefixes, and refuses a file that has changed', async () => {
  const { models, folder, ended } = await createModels()
  await models.install({ name: 'small', source: await plantConfiguredModel() })
  await ended()
  const create = () => {
    const embedder = createOnnxEmbedder({
      host: realHost,
      folder: join(folder, 'models', 'small'),
      promptFormat: undefined,
      impliedFormat: promptFormats.plain,
      timeoutMs: 30_000,
      latch: createTimeoutLatch(),
    })
    onTestFinished(() => embedder.close())
    return embedder
  }
  expect(await create().identity()).toMatchObject({ promptFormat: 'e5', dims: 3 })

  await writeFile(join(folder, 'models', 'small', 'model.onnx'), 'other')

  await expect(create().identity()).rejects.toThrow('model.onnx of the model has changed')
})

test('a download follows redirects, and continues after an interruption', async () => {
  const requests: string[] = []
  let isInterrupted = false
  const { source, outbound } = await serveFolder(
    await plantConfiguredModel(),
    (request, response) => {
      if (request.url !== '/files/model.onnx') return
      requests.push(String(request.headers.range))
      if (requests.length !== 2 || isInterrupted) return
      isInterrupted = true
      response.destroy()
    },
  )
  const { models, folder } = await createModels(outbound)
  await models.install({ name: 'small', source })
  await vi.waitFor(() => expect(requests.length).toBe(2), { timeout: 5_000 })
  await models.stop()
  expect(await readdir(join(folder, 'models'))).toContain('.small.part')

  const next = await createModels(outbound, { workspace: folder })
  await next.models.start()

  expect(await next.ended()).toMatchObject({ state: 'completed' })
  expect(requests.map((range) => range.split('-')[0])).toEqual([
    'bytes=0',
    'bytes=8388608',
    'bytes=8388608',
  ])
})

test.each([
  ['another hash', { sha256: '0'.repeat(64) }, 'model.onnx', /not 0{64}/],
  ['a missing tokenizer', {}, 'tokenizer.json', /The source has no tokenizer\.json/],
  ['a missing model', { file: 'onnx/other.onnx' }, undefined, /has no onnx\/other\.onnx/],
])('refuses %s, and leaves nothing', async (_name, request, removed, message) => {
  const source = await plantConfiguredModel()
  if (removed === 'tokenizer.json') await rm(join(source, removed))
  const { models, folder, ended } = await createModels()

  await models.install({ name: 'small', source, ...request })

  expect(await ended()).toMatchObject({ state: 'failed', error: expect.stringMatching(message) })
  expect(await readdir(join(folder, 'models'))).toEqual(['node_modules'])
})

test('names the command for a missing runtime', async () => {
  const { models, ended } = await createModels(noOutbound, { withRuntime: false })

  await models.install({ name: 'small', source: await plantConfiguredModel() })

  expect(await ended()).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('Run `npm install onnxruntime-node` in the folder models'),
  })
})

test('refuses a second installation, and a name that is taken', async () => {
  const { models, ended } = await createModels()
  const source = await plantConfiguredModel()
  await models.install({ name: 'small', source })

  await expect(models.install({ name: 'other', source })).rejects.toMatchObject({
    code: 'model_busy',
  })
  await ended()
  await expect(models.install({ name: 'small', source })).rejects.toMatchObject({
    code: 'model_exists',
  })
})
