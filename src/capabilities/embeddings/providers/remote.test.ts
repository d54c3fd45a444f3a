import { expect, test } from 'vitest'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { embeddingSettings } from '../config.ts'
import { createEmbedders } from '../create-embedder.ts'
import { embedderContract } from '../embedder.contract.ts'
import type { Embedder } from '../embedder.ts'
import { noEvents, nothingStored } from '../embeddings.fixture.ts'
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
  const { url, outbound, requests } = await startProvider(reply)
  const settings = embeddingSettings.schema.parse({ provider: 'openai', base_url: url, ...config })
  const values: Readonly<Record<string, string>> = {
    '$env:MODEL_KEY': 'opensesame',
    MODEL_KEY: 'opensesame',
    '$secret:model-key': 'openbarley',
  }
  const resolve = async (reference: string) => {
    if (reference === '$secret:locked') throw new Error('The store is locked.')
    return values[reference]
  }
  const needs = {
    host: fixedHost(),
    outbound,
    credentials: { resolve },
    workspace: '.',
    storedVectors: nothingStored,
    events: noEvents,
  }
  const embedder = createEmbedders(needs, unused)(settings)
  if (!embedder) throw new Error('There is a provider.')
  return { embedder, requests }
}

const unused = { provider: 'static' } as Embedder
const one = { texts: ['a text'], kind: 'document' as const }

for (const provider of ['ollama', 'llama-cpp', 'openai'] as const)
  embedderContract(provider, async () => (await start(replies[provider], { provider })).embedder)

test('each protocol sends its own path and body', async () => {
  const prefixed = ['search_document: a text']
  const cases = [
    ['ollama', '/api/embed', { model: 'nomic-embed-text', input: prefixed, truncate: true }],
    ['llama-cpp', '/embedding', { content: ['a text'] }],
    ['openai', '/embeddings', { model: 'text-embedding-3-small', input: ['a text'] }],
  ] as const
  for (const [provider, path, body] of cases) {
    const { embedder, requests } = await start(replies[provider], { provider, dimensions: 3 })
    await embedder.embed(one)
    expect(requests).toMatchObject([{ path, body }])
  }
})

test('the key is sent, and may be a reference, a name or the key itself', async () => {
  const { embedder, requests } = await start(replies.openai, { api_key: '$env:MODEL_KEY' })
  await embedder.embed(one)
  expect(requests[0]?.key).toBe('Bearer opensesame')

  const plain = await start(replies.openai, { api_key: 'MODEL_KEY' })
  await plain.embedder.embed(one)
  expect(plain.requests[0]?.key).toBe('Bearer opensesame')
  const literal = await start(replies.openai, { api_key: 'openrye' })
  await literal.embedder.embed(one)
  expect(literal.requests[0]?.key).toBe('Bearer openrye')

  const other = await start(replies.openai, { api_key: '$env:OTHER_KEY' })
  await expect(other.embedder.embed(one)).rejects.toThrow('OTHER_KEY, which is not set')
  const secret = await start(replies.openai, { api_key: '$secret:model-key' })
  await secret.embedder.embed(one)
  expect(secret.requests[0]?.key).toBe('Bearer openbarley')
  const lost = await start(replies.openai, { api_key: '$secret:other-key' })
  await expect(lost.embedder.embed(one)).rejects.toThrow(
    'the secret other-key, which does not exist',
  )
  const locked = await start(replies.openai, { api_key: '$secret:locked' })
  await expect(locked.embedder.embed(one)).rejects.toThrow('api_key could not be read')
  expect([...other.requests, ...lost.requests, ...locked.requests]).toEqual([])
})

test.each([
  ['an error of its own', { status: 500, body: {} }, 'provider', 'the provider returned 500'],
  ['a refused key', { status: 401, body: {} }, 'provider', 'the provider returned 401'],
  ['too many calls', { status: 429, body: {} }, 'provider', 'the provider returned 429'],
  ['a text that will not do', { status: 400, body: {} }, 'text', 'the provider returned 400'],
  ['invalid JSON', { body: '{"data": [' }, 'provider', 'not JSON'],
  ['another shape', { body: { data: null } }, 'provider', 'no vectors'],
  ['too few vectors', { body: { data: [] } }, 'provider', 'no vectors'],
  ['a number that is too large', { body: data([1e200, 1, 1]) }, 'text', 'not finite'],
  ['other dimensions', { body: data([1, 2]) }, 'provider', '2 dimensions, not 3'],
  ['what is no number', { body: '{"data":[{"index":0,"embedding":[1e999,1,1]}]}' }, 'provider', ''],
])('%s is an error', async (_what, reply, kind, message) => {
  const { embedder } = await start(() => reply, { dimensions: 3 })

  const failure = await embedder.embed(one).catch((error: unknown) => error)

  expect(failure).toMatchObject({ name: 'EmbeddingFailure', kind })
  expect(String(failure)).toContain(message)
})

test('a zero vector is no vector', async () => {
  const isProbe = (text: unknown) => String(text) === 'probe'
  const { embedder, requests } = await start(
    ({ body }) => ({ body: data(isProbe(body['input']) ? [1, 2, 3] : [0, 0, 0]) }),
    { dimensions: 3 },
  )

  expect(await embedder.embed(one)).toEqual([undefined])
  expect(requests.map(({ body }) => body['input'])).toEqual([['a text'], ['probe']])
})

test('a provider that returns a zero vector for a probe is failing', async () => {
  const { embedder } = await start(() => ({ body: data([0, 0, 0]) }), { dimensions: 3 })

  const message = 'the provider returned a zero vector'
  await expect(embedder.embed(one)).rejects.toMatchObject({ kind: 'provider', message })
})

test('a time-out is reported', async () => {
  const { embedder } = await start(() => 'never', { dimensions: 3, timeout_ms: 100 })

  await expect(embedder.embed(one)).rejects.toMatchObject({ kind: 'provider' })
})

test('a long text is truncated before it is sent', async () => {
  const { embedder, requests } = await start(replies.openai, { dimensions: 3 })
  await embedder.embed({ ...one, texts: ['x'.repeat(9000)] })

  expect(requests[0]?.body['input']).toEqual(['x'.repeat(8000)])
})

test('close cancels pending calls', async () => {
  const { embedder } = await start(() => 'never', { dimensions: 3 })
  const embedding = embedder.embed(one)
  await embedder.close()

  await expect(embedding).rejects.toThrow('the call was cancelled')
})

test('a local address must be allowed', async () => {
  const { embedder, requests } = await start(replies.openai, { base_url: 'http://127.0.0.1:9' })

  await expect(embedder.embed(one)).rejects.toMatchObject({ kind: 'provider' })
  expect(requests).toEqual([])
})

function data(embedding: readonly number[]) {
  return { data: [{ index: 0, embedding }] }
}
