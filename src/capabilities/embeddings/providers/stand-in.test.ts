import { expect, test } from 'vitest'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { embeddingSettings } from '../config.ts'
import { createEmbedders } from '../create-embedder.ts'
import { type Embedder, EmbeddingFailure } from '../embedder.ts'
import { nothingKept } from '../embeddings.fixture.ts'
import { toUnitVector } from '../vector.ts'
import { createFindings, withStandIn } from './stand-in.ts'

const one = { texts: ['a text'], kind: 'document' as const }
const failing = (kind: 'text' | 'provider') => (): never => {
  throw new EmbeddingFailure(kind, `no ${kind}`)
}

/** Says what it was asked, and makes what it is told to. */
function play(provider: string, make: (text: string) => readonly number[]) {
  const asked: string[] = []
  const state = { make, closed: false }
  const embedder: Embedder = {
    ...{ provider, model: 'm', baseUrl: null, atOnce: 1, batchSize: 1 },
    identity: async () => ({ model: 'm', dims: 2, quantisation: 'served', promptFormat: 'plain' }),
    embed: async ({ texts }) =>
      texts.map((text) => {
        asked.push(text)
        const whole = toUnitVector(state.make(text), 2)
        return whole && { whole, passages: [] }
      }),
    close: async () => {
      state.closed = true
    },
  }
  return { embedder, asked, state }
}

type StandIns = Parameters<typeof withStandIn>[1]

const standIn = (own: Embedder, runtimes: readonly Embedder[], known: Partial<StandIns> = {}) =>
  withStandIn(own, { runtimes, findings: createFindings(), kept: nothingKept, ...known })

interface Sent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const meaning = (text: string) => [text.length, 1]

test('whoever makes the same vectors stands in, and is looked for once', async () => {
  const [own, other, same] = [
    play('own', meaning),
    play('other', (text) => [1, text.length]),
    play('same', (text) => [text.length, 1.01]),
  ]
  const embedder = standIn(own.embedder, [other.embedder, same.embedder])
  const [before] = await embedder.embed(one)
  expect([other.asked, same.asked]).toEqual([[], []])

  own.state.make = failing('provider')
  const [after] = await embedder.embed({ ...one, texts: ['another'] })
  await embedder.embed({ ...one, texts: ['a third'] })

  expect(before?.whole[0]).toBeCloseTo(6 / Math.hypot(6, 1), 5)
  expect(after?.whole[0]).toBeCloseTo(7 / Math.hypot(7, 1.01), 5)
  expect(other.asked).toEqual(['a text'])
  expect(same.asked).toEqual(['a text', 'another', 'a third'])

  own.state.make = meaning
  await embedder.embed(one)
  expect(same.asked).toHaveLength(3)
  await embedder.close()
  expect([own, other, same].map(({ state }) => state.closed)).toEqual([true, true, true])
})

test('where none is ready, none is asked again', async () => {
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
  expect([dead.asked, shorter.asked]).toEqual([['a text'], ['a text']])
})

test('nobody is looked for before it is known what the provider makes, nor for a text that will not do', async () => {
  const [own, same] = [play('own', failing('provider')), play('same', meaning)]
  const embedder = standIn(own.embedder, [same.embedder])

  await expect(embedder.embed(one)).rejects.toThrow('no provider')
  own.state.make = meaning
  await embedder.embed(one)
  own.state.make = failing('text')
  await expect(embedder.embed(one)).rejects.toThrow('no text')
  expect(same.asked).toEqual([])
  expect(embedder.itself).toBe(own.embedder)
})

const key = 'opensesame'
const elsewhere = { provider: 'openai', base_url: 'http://models.example', api_key: key }

/** Two servers, where the configured one is and where Ollama usually answers; both make the same. */
function serve(settings: object = elsewhere) {
  const asked: unknown[] = []
  const down = new Set<string>()
  const fetch = async (url: string, { body, headers }: Sent) => {
    const { host } = new URL(url)
    asked.push([host, JSON.parse(body).model, headers['authorization']])
    const reply = { data: [{ index: 0, embedding: [1, 2] }], embeddings: [[1, 2]] }
    return { status: down.has(host) ? 500 : 200, body: Buffer.from(JSON.stringify(reply)) }
  }
  const config = embeddingSettings.schema.parse({ ...settings, model: 'm', dimensions: 2 })
  const needs = {
    host: fixedHost(),
    outbound: { fetch },
    variable: () => undefined,
    workspace: '.',
    kept: nothingKept,
  }
  const bundled = { provider: 'static' } as Embedder
  const create = createEmbedders(needs as never, bundled)
  const anew = (changed: object = {}) => create({ ...config, ...changed }) as Embedder
  return { embedder: anew(), anew, asked, down }
}

test('of runtimes of this machine those are asked that are not configured, for the same model', async () => {
  const { embedder, asked, down } = serve()
  await embedder.embed(one)
  down.add('models.example')

  expect((await embedder.embed(one))[0]?.whole[1]).toBeCloseTo(2 / Math.sqrt(5), 5)
  const own = ['models.example', 'm', 'Bearer opensesame']
  const other = ['127.0.0.1:11434', 'm', undefined]
  expect(asked).toEqual([own, own, other, other])

  const usual = serve({ provider: 'ollama' })
  await usual.embedder.embed(one)
  usual.down.add('127.0.0.1:11434')
  await expect(usual.embedder.embed(one)).rejects.toThrow('500')
  expect(usual.asked).toEqual([other, other, ['127.0.0.1:8080', undefined, undefined]])
})

test('of a runtime no more is asked when something else is configured, until it is of another model', async () => {
  const { embedder, anew, asked, down } = serve()
  await embedder.embed(one)
  for (const host of ['models.example', '127.0.0.1:11434']) down.add(host)
  await expect(embedder.embed(one)).rejects.toThrow('500')
  asked.length = 0

  for (const changed of [{ budget_ms: 9 }, { base_url: 'http://models.example/v1' }]) {
    const again = anew(changed)
    down.delete('models.example')
    await again.embed(one)
    down.add('models.example')
    await expect(again.embed(one)).rejects.toThrow('500')
  }
  const own = ['models.example', 'm', 'Bearer opensesame']
  expect(asked).toEqual([own, own, own, own])

  down.clear()
  const other = anew({ model: 'n' })
  await other.embed(one)
  down.add('models.example')
  await other.embed(one)
  const answering = ['127.0.0.1:11434', 'n', undefined]
  expect(asked.slice(-2)).toEqual([answering, answering])
})

test('a runtime that was kept from answering is asked again', async () => {
  const [own, same] = [play('own', meaning), play('same', meaning)]
  const findings = createFindings()
  const create = () => standIn(own.embedder, [same.embedder], { findings })
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

test('who stands in and fails is left alone as any provider', async () => {
  const { embedder, asked, down } = serve()
  await embedder.embed(one)
  down.add('models.example')
  await embedder.embed(one)
  down.add('127.0.0.1:11434')
  asked.length = 0

  for (let turn = 0; turn < 8; turn++) await expect(embedder.embed(one)).rejects.toThrow()
  const toOther = asked.filter((call) => String(call).startsWith('127.0.0.1:11434'))
  expect(toOther).toHaveLength(5)
})

test('who is to be tried again is asked at once, and who stands in as well', async () => {
  const { embedder, asked, down } = serve()
  await embedder.embed(one)
  down.add('models.example')
  await embedder.embed(one)
  down.add('127.0.0.1:11434')
  for (let turn = 0; turn < 8; turn++) await expect(embedder.embed(one)).rejects.toThrow()
  asked.length = 0

  embedder.tryAgain?.()
  await expect(embedder.embed(one)).rejects.toThrow('500')
  expect(asked.map((call) => String(call).split(',')[0])).toEqual([
    'models.example',
    '127.0.0.1:11434',
  ])
})
