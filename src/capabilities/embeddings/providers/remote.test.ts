import { expect, test } from 'vitest'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { embeddingSettings } from '../config.ts'
import { createEmbedders } from '../create-embedder.ts'
import { embedderContract } from '../embedder.contract.ts'
import type { Embedder } from '../embedder.ts'
import { nothingKept } from '../embeddings.fixture.ts'
import { numbersOf, type Reply, startProvider } from './provider-server.fixture.ts'

const textsOf = (sent: unknown) => sent as string[]

const replies: Readonly<Record<'ollama' | 'llama-cpp' | 'openai', Reply>> = {
  ollama: ({ body }) => ({ body: { embeddings: textsOf(body['input']).map(numbersOf) } }),
  'llama-cpp': ({ body }) => ({
    body: textsOf(body['content']).map((text, index) => ({ index, embedding: [numbersOf(text)] })),
  }),
  openai: ({ body }) => ({
    body: {
      data: textsOf(body['input'])
        .map((text, index) => ({ index, embedding: numbersOf(text) }))
        .toReversed(),
    },
  }),
}

async function start(reply: Reply, config: object = {}) {
  const { url, outbound, asked } = await startProvider(reply)
  const settings = embeddingSettings.schema.parse({ provider: 'openai', base_url: url, ...config })
  const variable = (name: string) => (name === 'MODEL_KEY' ? 'opensesame' : undefined)
  const secret = async (name: string) => (name === 'model-key' ? 'openbarley' : undefined)
  const needs = { host: fixedHost(), outbound, variable, secret, workspace: '.', kept: nothingKept }
  const embedder = createEmbedders(needs, unused)(settings)
  if (!embedder) throw new Error('There is a provider.')
  return { embedder, asked }
}

const unused = { provider: 'static' } as Embedder
const one = { texts: ['a text'], kind: 'document' as const }

for (const provider of ['ollama', 'llama-cpp', 'openai'] as const)
  embedderContract(provider, async () => (await start(replies[provider], { provider })).embedder)

test('each protocol is asked where it answers, with what it wants', async () => {
  const prefixed = ['search_document: a text']
  const cases = [
    ['ollama', '/api/embed', { model: 'nomic-embed-text', input: prefixed, truncate: true }],
    ['llama-cpp', '/embedding', { content: ['a text'] }],
    ['openai', '/embeddings', { model: 'text-embedding-3-small', input: ['a text'] }],
  ] as const
  for (const [provider, path, body] of cases) {
    const { embedder, asked } = await start(replies[provider], { provider, dimensions: 3 })
    await embedder.embed(one)
    expect(asked).toMatchObject([{ path, body }])
  }
})

test('the key is sent, and may be that of a variable or of a secret', async () => {
  const { embedder, asked } = await start(replies.openai, { api_key: '$env:MODEL_KEY' })
  await embedder.embed(one)
  expect(asked[0]?.key).toBe('Bearer opensesame')

  const other = await start(replies.openai, { api_key: '$env:OTHER_KEY' })
  await expect(other.embedder.embed(one)).rejects.toThrow('OTHER_KEY, which is not set')
  const secret = await start(replies.openai, { api_key: '$secret:model-key' })
  await secret.embedder.embed(one)
  expect(secret.asked[0]?.key).toBe('Bearer openbarley')
  const lost = await start(replies.openai, { api_key: '$secret:other-key' })
  await expect(lost.embedder.embed(one)).rejects.toThrow('the secret other-key, which is not kept')
  expect([...other.asked, ...lost.asked]).toEqual([])
})

test.each([
  ['an error of its own', { status: 500, body: {} }, 'provider', 'it answered 500'],
  ['a refused key', { status: 401, body: {} }, 'provider', 'it answered 401'],
  ['too many calls', { status: 429, body: {} }, 'provider', 'it answered 429'],
  ['a text that will not do', { status: 400, body: {} }, 'text', 'it answered 400'],
  ['what is no JSON', { body: '{"data": [' }, 'provider', 'no JSON'],
  ['another shape', { body: { data: null } }, 'provider', 'something else than vectors'],
  ['too few vectors', { body: { data: [] } }, 'provider', 'something else than vectors'],
  ['a number that is too large', { body: data([1e200, 1, 1]) }, 'text', 'what is no number'],
  ['other dimensions', { body: data([1, 2]) }, 'provider', '2 numbers, not 3'],
  ['what is no number', { body: '{"data":[{"index":0,"embedding":[1e999,1,1]}]}' }, 'provider', ''],
])('%s is told as a failure', async (_what, reply, kind, message) => {
  const { embedder } = await start(() => reply, { dimensions: 3 })

  const failure = await embedder.embed(one).catch((error: unknown) => error)

  expect(failure).toMatchObject({ name: 'EmbeddingFailure', kind })
  expect(String(failure)).toContain(message)
})

test('a text without direction has no vector', async () => {
  const isProbe = (text: unknown) => String(text) === 'probe'
  const { embedder, asked } = await start(
    ({ body }) => ({ body: data(isProbe(body['input']) ? [1, 2, 3] : [0, 0, 0]) }),
    { dimensions: 3 },
  )

  expect(await embedder.embed(one)).toEqual([undefined])
  expect(asked.map(({ body }) => body['input'])).toEqual([['a text'], ['probe']])
})

test('whoever makes none with a direction, not even of a probe, is at fault', async () => {
  const { embedder } = await start(() => ({ body: data([0, 0, 0]) }), { dimensions: 3 })

  const message = 'it answered a vector without direction'
  await expect(embedder.embed(one)).rejects.toMatchObject({ kind: 'provider', message })
})

test('whoever does not answer in time is told of', async () => {
  const { embedder } = await start(() => 'never', { dimensions: 3, timeout_ms: 100 })

  await expect(embedder.embed(one)).rejects.toMatchObject({ kind: 'provider' })
})

test('of a long text only its beginning is sent', async () => {
  const { embedder, asked } = await start(replies.openai, { dimensions: 3 })
  await embedder.embed({ ...one, texts: ['x'.repeat(9000)] })

  expect(asked[0]?.body['input']).toEqual(['x'.repeat(8000)])
})

test('whoever closes waits for no answer', async () => {
  const { embedder } = await start(() => 'never', { dimensions: 3 })
  const embedding = embedder.embed(one)
  await embedder.close()

  await expect(embedding).rejects.toThrow('nobody waits any more')
})

test('an address of this machine must be allowed', async () => {
  const { embedder, asked } = await start(replies.openai, { base_url: 'http://127.0.0.1:9' })

  await expect(embedder.embed(one)).rejects.toMatchObject({ kind: 'provider' })
  expect(asked).toEqual([])
})

function data(embedding: readonly number[]) {
  return { data: [{ index: 0, embedding }] }
}
