import { expect, test } from 'vitest'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { embeddingSettings } from '../config.ts'
import { createEmbedders } from '../create-embedder.ts'
import { type Embedder, EmbeddingFailure } from '../embedder.ts'
import { noCredentials, noEvents, nothingStored } from '../embeddings.fixture.ts'
import { toUnitVector } from '../vector.ts'
import { createFallbackState, withFallback } from './fallback.ts'

const one = { texts: ['a text'], kind: 'document' as const }
const failing = (kind: 'text' | 'provider') => (): never => {
  throw new EmbeddingFailure(kind, `no ${kind}`)
}

/** Records requests and returns the configured vectors. */
function play(provider: string, make: (text: string) => readonly number[]) {
  const requests: string[] = []
  const state = { make, closed: false }
  const embedder: Embedder = {
    provider,
    model: 'm',
    baseUrl: null,
    concurrency: 1,
    batchSize: 1,
    identity: async () => ({ model: 'm', dims: 2, quantisation: 'served', promptFormat: 'plain' }),
    embed: async ({ texts }) =>
      texts.map((text) => {
        requests.push(text)
        const whole = toUnitVector(state.make(text), 2)
        return whole && { whole, passages: [] }
      }),
    close: async () => {
      state.closed = true
    },
  }
  return { embedder, requests, state }
}

type StandIns = Parameters<typeof withFallback>[1]

const standIn = (own: Embedder, runtimes: readonly Embedder[], known: Partial<StandIns> = {}) =>
  withFallback(own, {
    runtimes,
    state: createFallbackState(),
    storedVectors: nothingStored,
    ...known,
  })

interface Sent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const meaning = (text: string) => [text.length, 1]

test('a runtime with the same vectors is used as the fallback and checked once', async () => {
  const [own, other, same] = [
    play('own', meaning),
    play('other', (text) => [1, text.length]),
    play('same', (text) => [text.length, 1.01]),
  ]
  const embedder = standIn(own.embedder, [other.embedder, same.embedder])
  const [before] = await embedder.embed(one)
  expect([other.requests, same.requests]).toEqual([[], []])

  own.state.make = failing('provider')
  const [after] = await embedder.embed({ ...one, texts: ['another'] })
  await embedder.embed({ ...one, texts: ['a third'] })

  expect(before?.whole[0]).toBeCloseTo(6 / Math.hypot(6, 1), 5)
  expect(after?.whole[0]).toBeCloseTo(7 / Math.hypot(7, 1.01), 5)
  expect(other.requests).toEqual(['a text'])
  expect(same.requests).toEqual(['a text', 'another', 'a third'])

  own.state.make = meaning
  await embedder.embed(one)
  expect(same.requests).toHaveLength(3)
  await embedder.close()
  expect([own, other, same].map(({ state }) => state.closed)).toEqual([true, true, true])
})

test('runtimes that fail the check are not checked again', async () => {
  const [own, dead, shorter] = [
    play('own', meaning),
    play('dead', failing('provider')),
    play('shorter', failing('text')),
  ]
  const embedder = standIn(own.embedder, [dead.embedder, shorter.embedder])
  await embedder.embed(one)
  own.state.make = failing('provider')

  for (let turn = 0; turn < 3; turn++)
    await expect(embedder.embed(one)).rejects.toThrow('no provider')
  expect([dead.requests, shorter.requests]).toEqual([['a text'], ['a text']])
})

test('no fallback is searched without a sample, nor for a rejected text', async () => {
  const [own, same] = [play('own', failing('provider')), play('same', meaning)]
  const embedder = standIn(own.embedder, [same.embedder])

  await expect(embedder.embed(one)).rejects.toThrow('no provider')
  own.state.make = meaning
  await embedder.embed(one)
  own.state.make = failing('text')
  await expect(embedder.embed(one)).rejects.toThrow('no text')
  expect(same.requests).toEqual([])
  expect(embedder.primary).toBe(own.embedder)
})

const key = 'opensesame'
const elsewhere = { provider: 'openai', base_url: 'http://models.example', api_key: key }

/** Two servers, where the configured one is and where Ollama usually answers; both make the same. */
function serve(settings: object = elsewhere) {
  const requests: unknown[] = []
  const down = new Set<string>()
  const fetch = async (url: string, { body, headers }: Sent) => {
    const { host } = new URL(url)
    requests.push([host, JSON.parse(body).model, headers['authorization']])
    const reply = { data: [{ index: 0, embedding: [1, 2] }], embeddings: [[1, 2]] }
    return { status: down.has(host) ? 500 : 200, body: Buffer.from(JSON.stringify(reply)) }
  }
  const config = embeddingSettings.schema.parse({ ...settings, model: 'm', dimensions: 2 })
  const needs = {
    host: fixedHost(),
    outbound: { fetch },
    credentials: noCredentials,
    workspace: '.',
    storedVectors: nothingStored,
    events: noEvents,
  }
  const bundled = { provider: 'static' } as Embedder
  const create = createEmbedders(needs as never, bundled)
  const recreate = (changed: object = {}) => create({ ...config, ...changed }) as Embedder
  return { embedder: recreate(), recreate, requests, down }
}

test('the local runtimes that are not configured are checked with the same model', async () => {
  const { embedder, requests, down } = serve()
  await embedder.embed(one)
  down.add('models.example')

  expect((await embedder.embed(one))[0]?.whole[1]).toBeCloseTo(2 / Math.sqrt(5), 5)
  const own = ['models.example', 'm', 'Bearer opensesame']
  const other = ['127.0.0.1:11434', 'm', undefined]
  expect(requests).toEqual([own, own, other, other])

  const usual = serve({ provider: 'ollama' })
  await usual.embedder.embed(one)
  usual.down.add('127.0.0.1:11434')
  await expect(usual.embedder.embed(one)).rejects.toThrow('500')
  expect(usual.requests).toEqual([other, other, ['127.0.0.1:8080', undefined, undefined]])
})

test('a configuration change does not repeat the check, unless the model changes', async () => {
  const { embedder, recreate, requests, down } = serve()
  await embedder.embed(one)
  for (const host of ['models.example', '127.0.0.1:11434']) down.add(host)
  await expect(embedder.embed(one)).rejects.toThrow('500')
  requests.length = 0

  for (const changed of [{ budget_ms: 9 }, { base_url: 'http://models.example/v1' }]) {
    const again = recreate(changed)
    down.delete('models.example')
    await again.embed(one)
    down.add('models.example')
    await expect(again.embed(one)).rejects.toThrow('500')
  }
  const own = ['models.example', 'm', 'Bearer opensesame']
  expect(requests).toEqual([own, own, own, own])

  down.clear()
  const other = recreate({ model: 'n' })
  await other.embed(one)
  down.add('models.example')
  await other.embed(one)
  const answering = ['127.0.0.1:11434', 'n', undefined]
  expect(requests.slice(-2)).toEqual([answering, answering])
})

test('an aborted check is repeated', async () => {
  const [own, same] = [play('own', meaning), play('same', meaning)]
  const state = createFallbackState()
  const create = () => standIn(own.embedder, [same.embedder], { state })
  const before = create()
  await before.embed(one)
  own.state.make = failing('provider')
  same.state.make = failing('provider')

  const embedding = before.embed(one)
  await before.close()
  await expect(embedding).rejects.toThrow('no provider')
  same.state.make = meaning

  expect(await create().embed(one)).toHaveLength(1)
})

test('a failing fallback opens its own circuit breaker', async () => {
  const { embedder, requests, down } = serve()
  await embedder.embed(one)
  down.add('models.example')
  await embedder.embed(one)
  down.add('127.0.0.1:11434')
  requests.length = 0

  for (let turn = 0; turn < 8; turn++) await expect(embedder.embed(one)).rejects.toThrow()
  const toOther = requests.filter((call) => String(call).startsWith('127.0.0.1:11434'))
  expect(toOther).toHaveLength(5)
})

test('reset closes the breakers of the provider and its fallbacks', async () => {
  const { embedder, requests, down } = serve()
  await embedder.embed(one)
  down.add('models.example')
  await embedder.embed(one)
  down.add('127.0.0.1:11434')
  for (let turn = 0; turn < 8; turn++) await expect(embedder.embed(one)).rejects.toThrow()
  requests.length = 0

  embedder.reset?.()
  await expect(embedder.embed(one)).rejects.toThrow('500')
  expect(requests.map((call) => String(call).split(',')[0])).toEqual([
    'models.example',
    '127.0.0.1:11434',
  ])
})
