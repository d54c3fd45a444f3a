import { expect, onTestFinished, vi } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import type { Stream } from '../../kernel/http/stream.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { connect, embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'
import type { EmbeddingsNeeds, MemoriesPort } from './needs.ts'

/** Never replies until the call is cancelled. */
const silent: EmbeddingsNeeds['outbound'] = {
  fetch: (_url, { signal } = {}) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
}

type Given = Parameters<typeof embeddingsNeeds>[1]

async function start(db: Db, more: Partial<MemoriesPort> = {}, given: Given = {}) {
  const host = manualClockHost()
  const { needs, memories, written } = embeddingsNeeds(db, { host, outbound: silent, ...given })
  const port = { ...memories.port, countLive: async () => ({ total: 0, embedded: 0 }), ...more }
  const embeddings = connect({ ...needs, memories: () => port })
  onTestFinished(() => embeddings.stop())
  await embeddings.start()
  await embeddings.catchUp()
  const call = async (name: string, query: object = {}) => {
    const route = embeddings.routes.find((route) => route.name === name)
    return route?.handle({ caller: callerFor('ada'), query } as never) as Promise<object>
  }
  return { host, call, written, memories, embeddings }
}

onEachEngine('a status is cached for 30 s or until the configuration changes', async (db) => {
  const { host, call, written } = await start(db)
  const first = await call('embeddings.status')
  expect(first).toMatchObject({ provider: 'static', available: true, base_url: null })

  host.advance(29_999)
  expect(await call('embeddings.status')).toEqual(first)
  host.advance(1)
  const second = await call('embeddings.status')
  expect(second).toEqual({ ...first, checkedAt: host.now().toISOString() })

  written.config = { provider: 'none' }
  expect(await call('embeddings.status')).toMatchObject({ provider: 'none', available: false })
})

onEachEngine('a provider that does not answer in two seconds is not available', async (db) => {
  const { host, call, written } = await start(db)
  written.config = { provider: 'ollama', model: 'small', base_url: 'http://127.0.0.1:1' }

  const requests = call('embeddings.status')
  host.advance(2000)

  expect(await requests).toMatchObject({
    provider: 'ollama',
    model: 'small',
    base_url: 'http://127.0.0.1:1',
    available: false,
    error: 'no answer within 2000 ms',
  })
  expect(await call('embeddings.status')).not.toHaveProperty('dimensions')
})

onEachEngine('the status reports known dimensions', async (db) => {
  const config = { provider: 'openai', base_url: 'https://models.example', model: 'm' }
  const state = { status: 200 }
  const body = Buffer.from(JSON.stringify({ data: [{ index: 0, embedding: [1, 2] }] }))
  const outbound = { fetch: async () => ({ status: state.status, body }) as never }
  const { call, written, embeddings } = await start(db, {}, { config, outbound })
  state.status = 500

  const silent = { available: false, error: 'the provider returned 500' }
  expect(await call('embeddings.status')).toMatchObject({ ...silent, dimensions: 2 })
  written.config = { ...config, model: 'n', dimensions: 3 }
  expect(await call('embeddings.status')).toMatchObject({ ...silent, dimensions: 3 })
  written.config = { ...config, model: 'o' }
  expect(await call('embeddings.status')).not.toHaveProperty('dimensions')
  await embeddings.settled()
})

onEachEngine('a time-out of a long text delays nothing and is reported', async (db) => {
  const { host, call, memories, embeddings } = await start(db)
  memories.put('one', 'the sea '.repeat(5000))
  memories.put('two', 'the harbour')
  memories.put('three', 'the quay')

  const caughtUp = embeddings.catchUp()
  await vi.waitUntil(() => host.sleeps().includes(60_000), { interval: 1 })
  host.advance(60_000)
  await caughtUp

  expect(await embeddings.vectorOf('one')).toBeUndefined()
  for (const id of ['two', 'three']) expect(await embeddings.vectorOf(id)).toBeDefined()
  expect(await call('embeddings.status')).toMatchObject({
    available: true,
    error: expect.stringContaining('disabled until restart'),
    tracker: { state: 'idle', refused: 1 },
  })
})

// Who keeps memories is played, and lists none.
onEachEngine('a failed export returns an empty page with an error', async (db) => {
  const page = { limit: 50, offset: 7 }
  const failed = { error: 'Failed to load embeddings', embeddings: [], count: 0, total: 0 }

  for (const port of [{}, { countReadable: async () => ({ total: 9, embedded: 9 }) }]) {
    const { call } = await start(db, port)
    for (const vectors of [false, true])
      expect(await call('embeddings.export', { ...page, vectors })).toEqual({
        ...failed,
        ...page,
        hasMore: false,
      })
  }
})

onEachEngine('a page is read in batches, without gaps and duplicates', async (db) => {
  const all = Array.from({ length: 1300 }, (_, number) => ({ ...memory, id: `m${number}` }))
  const read: number[] = []
  const { call } = await start(db, {
    countReadable: async () => ({ total: 1300, embedded: 1300 }),
    listReadable: async (_caller, { limit, offset }) => {
      read.push(limit)
      return all.slice(offset, offset + limit)
    },
  })
  const idsOf = (from: number, to: number) => all.slice(from, to).map(({ id }) => id)

  const plain = (await call('embeddings.export', {
    limit: 1200,
    offset: 7,
    vectors: false,
  })) as Page
  expect(plain).toMatchObject({ count: 1200, total: 1300, limit: 1200, offset: 7, hasMore: true })
  expect(plain.embeddings.map(({ id }) => id)).toEqual(idsOf(7, 1207))
  expect(read.splice(0)).toEqual([500, 500, 200])

  const requests = { limit: 120, offset: 1200, vectors: true }
  const { chunks } = (await call('embeddings.export', requests)) as Stream
  const texts: unknown[] = []
  for await (const chunk of chunks) texts.push(chunk)
  const written = JSON.parse(texts.join('')) as Page
  expect(written).toMatchObject({ count: 100, total: 1300, offset: 1200, hasMore: false })
  expect(written.embeddings.map(({ id }) => id)).toEqual(idsOf(1200, 1300))
  expect(read).toEqual([50, 50, 20])
})

interface Page {
  readonly embeddings: readonly { readonly id: string }[]
}

const memory = {
  content: 'tabs',
  contentHash: 'h',
  who: 'ada',
  importance: 0.5,
  type: 'fact',
  tags: [],
  pinned: false,
  sourceType: 'manual',
  sourceId: null,
  createdAt: '2026-01-02T03:04:05.000Z',
}
