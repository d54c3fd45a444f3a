import { expect, onTestFinished } from 'vitest'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Reply } from '../../kernel/http/route.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { openTestSqlite } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { connect, embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'
import type { ExportedMemory, Page } from './needs.ts'

type ProjectionReply = Reply<{ readonly status: string; readonly message?: string }> & {
  readonly status: string | number
  readonly nodes: readonly { readonly content: string }[]
  readonly cachedAt: string
}

interface Narrowed {
  readonly project?: string
  readonly scope?: string
}

/** Three memories, and what is answered about where they lie. */
async function start(db: Db) {
  const host = manualClockHost()
  const { needs, memories } = embeddingsNeeds(db, { host })
  const closed = await openTestSqlite()
  await closed.close()
  const state = { background: db, isUnread: false }
  const shown = new Map<string, ExportedMemory>()
  const port = {
    ...memories.port,
    countReadable: async () => ({ total: shown.size, embedded: shown.size }),
    listReadable: async (_caller: Caller, { scope, limit, offset }: Page) => {
      if (state.isUnread) throw new Error('no such row: ada')
      const readable = [...shown.values()].slice(offset, offset + limit)
      return scope === undefined ? readable : readable.slice(1)
    },
  }
  const embeddings = connect({
    ...needs,
    memories: () => port,
    background: forwardTo(() => state.background),
  })
  onTestFinished(() => embeddings.stop())
  await embeddings.start()
  const keep = async (id: string, content: string) => {
    const words = memories.put(id, content)
    await embeddings.embed(words)
    shown.set(id, { ...words, ...about })
  }
  for (const id of ['one', 'two', 'three']) await keep(id, `the ${id} harbour`)
  const route = embeddings.routes.find(({ name }) => name === 'embeddings.projection')
  const ask = async (dimensions = 2, agent = 'ada', { project, scope }: Narrowed = {}) => {
    const caller = { ...callerFor(agent), scope: { project } }
    return (await route?.handle({
      caller,
      query: { dimensions, scope },
    } as never)) as ProjectionReply
  }
  const settle = async (...requests: Parameters<typeof ask>) => {
    await ask(...requests)
    await embeddings.settled()
    return ask(...requests)
  }
  const breakDown = (isBroken: boolean) => {
    state.background = isBroken ? closed.db : db
  }
  const crowd = (count: number) => {
    for (let number = shown.size; number < count; number += 1) {
      const id = `m${number}`
      shown.set(id, { ...about, id, content: id, contentHash: id })
    }
  }
  const misread = (isUnread: boolean) => {
    state.isUnread = isUnread
  }
  const { settled, agentRemoval } = embeddings
  const { purge } = agentRemoval
  return { host, keep, crowd, ask, settle, breakDown, settled, misread, purge }
}

const about = {
  who: 'ada',
  importance: 0.5,
  type: 'fact',
  tags: [],
  pinned: false,
  sourceType: 'manual',
  sourceId: null,
  createdAt: '2026-01-02T03:04:05.000Z',
}

onEachEngine('a layout is cached until a text changes', async (db) => {
  const { host, keep, ask, settle } = await start(db)

  expect(await ask()).toMatchObject({ status: 202, body: { status: 'computing', count: 3 } })
  const first = await settle()
  expect(first).toMatchObject({ status: 'cached', count: 3, dimensions: 2 })
  host.advance(60_000)
  expect(await ask()).toEqual(first)

  await keep('two', 'another harbour')
  expect(await ask()).toMatchObject({ status: 202 })
  const second = await settle()
  expect(second.nodes.map(({ content }) => content)).toContain('another harbour')
  expect(second.cachedAt > first.cachedAt).toBe(true)
})

onEachEngine('each namespace has its own layout', async (db) => {
  const { ask, settle } = await start(db)
  const all = await settle()

  expect(await ask(2, 'ada', { scope: 'world' })).toMatchObject({ status: 202, body: { count: 2 } })
  expect(await settle(2, 'ada', { scope: 'world' })).toMatchObject({ status: 'cached', count: 2 })

  expect(await ask()).toEqual(all)
})

onEachEngine(
  'at most two layouts are computed in parallel, and a repeated request is served',
  async (db) => {
    const { ask, settled } = await start(db)
    const statuses = async () => {
      const replies = ['ada', 'bob', 'eve'].map((agent) => ask(2, agent))
      return (await Promise.all(replies)).map(({ status }) => status)
    }

    expect(await statuses()).toEqual([202, 202, 202])
    await settled()
    expect((await statuses()).toSorted()).toEqual([202, 'cached', 'cached'])
    await settled()
    expect(await statuses()).toEqual(['cached', 'cached', 'cached'])
  },
)

onEachEngine('an error is cached, and the layout is retried later', async (db) => {
  const { host, ask, settle, breakDown } = await start(db)
  breakDown(true)

  const failed = await settle()
  expect(failed).toMatchObject({ status: 500, body: { status: 'error' } })
  expect(failed.body.message).toBeTruthy()
  breakDown(false)
  host.advance(29_999)
  expect(await ask()).toEqual(failed)
  // Of three dimensions nothing is known yet.
  expect(await settle(3)).toMatchObject({ status: 'cached' })

  host.advance(1)
  expect(await settle()).toMatchObject({ status: 'cached' })
})

onEachEngine('a read error is reported without internal details', async (db) => {
  const { ask, settle, misread } = await start(db)
  await settle()
  misread(true)

  const body = { status: 'error', message: 'Failed to load embeddings' }
  expect(await ask()).toMatchObject({ status: 500, body })
  misread(false)
  expect(await ask()).toMatchObject({ status: 'cached' })
})

onEachEngine('the layout uses the first 64 dimensions', async (db) => {
  const { keep, settle } = await start(db)
  for (const id of ['four', 'five', 'six', 'seven', 'eight']) await keep(id, `the ${id} harbour`)
  const table = db.withTables<{ memoryVectors: { memoryId: string; vector: Uint8Array } }>()
  const change = async (at: number) => {
    const some = table.selectFrom('memoryVectors').selectAll().where('memoryId', '=', 'one')
    const { vector } = await some.executeTakeFirstOrThrow()
    const numbers = new Float32Array(new Uint8Array(vector).buffer)
    numbers[at] = 1
    const changed = { vector: new Uint8Array(numbers.buffer) }
    await table.updateTable('memoryVectors').set(changed).where('memoryId', '=', 'one').execute()
  }
  // Another project gets its own layout, even for the same texts.
  const layOut = async (project: string) => (await settle(2, 'ada', { project })).nodes

  const first = await layOut('one')
  await change(64)
  expect(await layOut('two')).toEqual(first)
  await change(63)
  expect(await layOut('three')).not.toEqual(first)
})

onEachEngine('a layout has at most 5,000 nodes', async (db) => {
  const { crowd, breakDown, ask } = await start(db)
  breakDown(true)
  crowd(6000)

  expect(await ask()).toMatchObject({ status: 202, body: { count: 5000, total: 6000 } })
})

onEachEngine('a purge of an agent deletes its layouts', async (db) => {
  const { ask, settled, purge } = await start(db)
  for (const agent of ['ada', 'ada.b', 'a_a'])
    for (const narrowed of [{}, { project: 'sea' }, { scope: 'world' }]) {
      await ask(2, agent, narrowed)
      await settled()
    }
  const scopes = async () => {
    const cached = db.withTables<{ umapCache: { scope: string } }>().selectFrom('umapCache')
    return (await cached.select('scope').execute()).map(({ scope }) => scope).toSorted()
  }

  const of = (agent: string) =>
    ['"sea"', 'null,"world"', 'null'].map((narrowed) => `["${agent}",${narrowed}]`)
  const others = of('ada.b')
  await purge(db, 'a_a')
  expect(await scopes()).toEqual([...of('ada'), ...others])

  await purge(db, 'ada')
  expect(await scopes()).toEqual(others)
})

/** A database handle that follows the current one. */
function forwardTo(current: () => Db): Db {
  return new Proxy({} as Db, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(current(), name)
      return typeof value === 'function' ? value.bind(current()) : value
    },
  })
}
