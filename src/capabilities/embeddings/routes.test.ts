import { expect, onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'
import { createEmbeddings } from './index.ts'

async function start(db: Db) {
  const host = steeredHost()
  const { needs, memories, written } = embeddingsNeeds(db, { host })
  const port = { ...memories.port, countLive: async () => ({ total: 0, embedded: 0 }) }
  const embeddings = createEmbeddings({ ...needs, memories: () => port })
  onTestFinished(() => embeddings.close())
  await embeddings.start()
  await embeddings.catchUp()
  const call = async (name: string, query: object = {}) => {
    const route = embeddings.routes.find((route) => route.name === name)
    return route?.handle({ caller: callerFor('ada'), query } as never) as Promise<object>
  }
  return { host, call, written }
}

onEachEngine('a status holds for half a minute, or until it is configured anew', async (db) => {
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

// Who keeps memories is played, and lists none.
onEachEngine('an export that fails is an empty page that says so', async (db) => {
  const { call } = await start(db)
  const page = { limit: 50, offset: 7 }
  const failed = { error: 'Failed to load embeddings', embeddings: [], count: 0, total: 0 }

  for (const vectors of [false, true])
    expect(await call('embeddings.export', { ...page, vectors })).toEqual({
      ...{ ...failed, ...page, hasMore: false },
    })
})
