import { expect, vi } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import {
  begin,
  bundled,
  countRows,
  onEachEngine,
  served,
  start,
  well,
} from './embeddings.fixture.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { type Reply, startProvider } from './providers/provider-server.fixture.ts'
import { insertVectors } from './store/vectors.ts'

onEachEngine('a new model is built while the active one answers, then promoted', async (db) => {
  const { needs, written, config, emitted } = await begin(db, well)
  const embeddings = await start(needs)
  await embeddings.catchUp()
  expect(embeddings.activeIdentity()).toBe(bundled)

  written.config = config
  expect((await embeddings.embedQuery('harbour'))?.identity).toBe(bundled)
  await embeddings.catchUp()

  expect(embeddings.activeIdentity()).toBe(served)
  expect(await embeddings.vectorOf('two')).toHaveLength(3)
  expect(emitted.at(-1)).toEqual(['embeddings.promoted', { identity: served }])
  await embeddings.catchUp()
  expect(await countRows(db, bundled)).toBe(0)
  expect(await countRows(db, served)).toBe(3)
})

onEachEngine('the same model at another address keeps its vectors', async (db) => {
  const { needs, memories, written, config } = await begin(db, well)
  const other = await startProvider(well)
  const outbound: EmbeddingsNeeds['outbound'] = {
    fetch: (at, request) => (at.startsWith(other.url) ? other : needs).outbound.fetch(at, request),
  }
  written.config = config
  const embeddings = await start({ ...needs, outbound })
  await embeddings.catchUp()

  written.config = { ...config, base_url: other.url }
  await embeddings.catchUp()
  expect(await embeddings.embed(memories.put('four', 'the fourth harbour'))).toBe(true)

  expect(embeddings.activeIdentity()).toBe(served)
  const texts = other.requests.flatMap(({ body }) => body['input'])
  expect(texts.filter((text) => text !== 'probe')).toEqual(['the fourth harbour'])
})

onEachEngine('a catch-up resumes after a restart', async (db) => {
  let down = false
  const { needs, memories, requests, config, written } = await begin(db, (one) =>
    down ? { status: 500, body: {} } : well(one),
  )
  written.config = config
  const embeddings = await start(needs)
  await embeddings.catchUp()
  memories.put('four', 'the fourth harbour')
  down = true
  await expect(embeddings.catchUp()).rejects.toThrow('500')
  await embeddings.stop()

  down = false
  const before = requests.length
  const restarted = await start(needs)
  await restarted.catchUp()

  expect(await restarted.vectorOf('four')).toBeDefined()
  const texts = requests.slice(before).flatMap(({ body }) => body['input'])
  expect(texts).not.toContain('the one harbour')
})

onEachEngine('a rejected text is recorded, the others are embedded', async (db) => {
  const host = manualClockHost()
  const poisoned: Reply = (one) =>
    JSON.stringify(one.body).includes('two') ? { status: 500, body: {} } : well(one)
  const { needs, requests, config, written } = await begin(db, poisoned)
  written.config = config
  const embeddings = await start({ ...needs, host })

  await embeddings.catchUp()
  await embeddings.catchUp()

  expect(await embeddings.vectorOf('two')).toBeUndefined()
  expect(await embeddings.vectorOf('three')).toBeDefined()
  const attempts = () => requests.filter(({ body }) => String(body['input']) === 'the two harbour')
  const once = attempts().length
  for (let hour = 0; hour < 5; hour += 1) {
    host.advance(3_600_000)
    await embeddings.catchUp()
  }
  expect(attempts().length - once).toBe(2)
  const failures = await db
    .withTables<{ embeddingFailures: Readonly<Record<string, unknown>> }>()
    .selectFrom('embeddingFailures')
    .selectAll()
    .execute()
  expect(failures).toMatchObject([
    { memoryId: 'two', attempts: 3, retryAt: null, reason: 'the provider returned 500' },
  ])
})

onEachEngine('a rejected text is not sent again when the catch-up resumes', async (db) => {
  let down = true
  const { needs, requests, config, written } = await begin(db, (one) => {
    const text = JSON.stringify(one.body['input'])
    if (text.includes('two')) return { status: 400, body: {} }
    return down && /three|probe/.test(text) ? { status: 500, body: {} } : well(one)
  })
  written.config = { ...config, dimensions: 3 }
  const embeddings = await start(needs)
  await expect(embeddings.catchUp()).rejects.toThrow('500')

  down = false
  const before = requests.length
  await embeddings.catchUp()

  expect(requests.slice(before).map(({ body }) => body['input'])).toEqual([['the three harbour']])
  expect(await embeddings.vectorOf('three')).toBeDefined()
})

onEachEngine('a provider gets at most four parallel calls', async (db) => {
  const held = Promise.withResolvers<void>()
  const { needs, memories, requests, config, written } = await begin(db, well)
  written.config = config
  const waiting: string[] = []
  const outbound: EmbeddingsNeeds['outbound'] = {
    fetch: async (url, request) => {
      if (String(request?.body).includes('late')) {
        waiting.push(String(request?.body))
        await held.promise
      }
      return await needs.outbound.fetch(url, request)
    },
  }
  const embeddings = await start({ ...needs, outbound })
  await embeddings.catchUp()
  const embed = (name: string) => embeddings.embed(memories.put(name, `late ${name}`))

  const first = ['a', 'b', 'c', 'd'].map(embed)
  await vi.waitFor(() => expect(waiting).toHaveLength(4))
  const before = requests.length
  expect(await embed('e')).toBe(false)
  expect(await embeddings.embedQuery('late')).toBeUndefined()
  expect([waiting.length, requests.length]).toEqual([4, before])

  held.resolve()
  expect(await Promise.all(first)).toEqual([true, true, true, true])
  expect(await embeddings.embedQuery('late')).toBeDefined()
})

onEachEngine(
  'a save does not wait for a slow provider, and the late vector is saved',
  async (db) => {
    const held: (() => void)[] = []
    const host = manualClockHost()
    const { needs, memories, config, written } = await begin(db, well)
    const slow = new Promise<void>((resolve) => held.push(resolve))
    const outbound: EmbeddingsNeeds['outbound'] = {
      fetch: async (url, request) => {
        if (String(request?.body).includes('late')) await slow
        return await needs.outbound.fetch(url, request)
      },
    }
    written.config = config
    const embeddings = await start({ ...needs, host, outbound })
    await embeddings.catchUp()
    const late = memories.put('late', 'too late')

    const embedding = embeddings.embed(late)
    host.advance(250)
    expect(await embedding).toBe(false)
    for (const release of held) release()
    await embeddings.settled()

    expect(await embeddings.isEmbedded(late)).toBe(true)
  },
)

onEachEngine('a fallback with the same vectors continues the catch-up', async (db) => {
  let down = false
  const { needs, memories, config, written } = await begin(db, (one) =>
    down ? { status: 500, body: {} } : well(one),
  )
  const { outbound, url, requests } = await startProvider(well)
  const usual = 'http://127.0.0.1:11434'
  const both: EmbeddingsNeeds['outbound'] = {
    fetch: (at, request) =>
      at.startsWith(usual)
        ? outbound.fetch(at.replace(usual, url), request)
        : needs.outbound.fetch(at, request),
  }
  written.config = config
  const port = { ...memories.port, countLive: async () => ({ total: 5, embedded: 5 }) }
  const embeddings = await start({ ...needs, outbound: both, memories: () => port })
  await embeddings.catchUp()
  expect(requests).toEqual([])

  down = true
  expect(await embeddings.embed(memories.put('four', 'the fourth harbour'))).toBe(true)
  expect((await embeddings.embedQuery('harbour'))?.identity).toBe(served)
  memories.put('five', 'the fifth harbour')
  await embeddings.catchUp()

  expect(await embeddings.vectorOf('five')).toHaveLength(3)
  expect(requests.length).toBeGreaterThan(3)
  const status = embeddings.routes.find(({ name }) => name === 'embeddings.status')
  expect(await status?.handle({} as never)).toMatchObject({
    available: false,
    base_url: config.base_url,
    error: 'the provider returned 500',
  })
})

onEachEngine('a memory that is purged during embedding leaves no vector', async (db) => {
  const held = Promise.withResolvers<void>()
  const { needs, memories, config, written } = await begin(db, well)
  const outbound: EmbeddingsNeeds['outbound'] = {
    fetch: async (url, request) => {
      if (String(request?.body).includes('gone')) await held.promise
      return await needs.outbound.fetch(url, request)
    },
  }
  written.config = config
  const embeddings = await start({ ...needs, outbound })
  await embeddings.catchUp()

  const embedding = embeddings.embed(memories.put('late', 'soon gone'))
  memories.purge('late')
  await embeddings.deleteVectors(db, ['late'])
  held.resolve()

  expect(await embedding).toBe(false)
  expect(await countRows(db, served)).toBe(3)
})

onEachEngine('late vectors of a retired model are deleted', async (db) => {
  const { needs, written, config } = await begin(db, well)
  const embeddings = await start(needs)
  await embeddings.catchUp()
  written.config = config
  await embeddings.catchUp()
  await embeddings.catchUp()

  const late = { memoryId: 'one', agentId: 'ada', contentHash: 'x', passages: [] }
  const createdAt = '2026-01-02T03:04:05.000Z'
  await insertVectors(db, { identity: bundled, createdAt }, [
    { ...late, whole: Float32Array.of(1) },
  ])
  await embeddings.catchUp()

  expect(await countRows(db, bundled)).toBe(0)
  expect(await countRows(db, served)).toBe(3)
})

onEachEngine('without a provider nothing is embedded and nothing is lost', async (db) => {
  const { needs, memories, written } = await begin(db, well)
  const embeddings = await start(needs)
  await embeddings.catchUp()
  written.config = { provider: 'none' }

  expect(await embeddings.embed(memories.put('four', 'the fourth'))).toBe(false)
  expect(await embeddings.embedQuery('harbour')).toBeUndefined()
  await embeddings.catchUp()
  expect(await embeddings.vectorOf('one')).toBeDefined()
})
