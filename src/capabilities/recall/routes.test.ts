import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { onEachEngine, recallNeeds } from './recall.fixture.ts'
import { recallRoutes } from './routes.ts'

onEachEngine('a fault returns an empty result with an error', async (db) => {
  const { needs } = await recallNeeds(db)
  const readScopeOf = () => Promise.reject(new Error('the disk is gone'))
  const routes = recallRoutes({ ...needs, agents: { readScopeOf } })
  const failing = async (name: string, input: object) => {
    const given = { caller: callerFor('ada'), surface: undefined, headers: {}, ...input }
    return routes.find((route) => route.name === name)?.handle(given as never)
  }

  const failed = { status: 500, body: { error: 'Recall failed', results: [] } }
  expect(await failing('recall.recall', { body: { query: 'tabs' } })).toMatchObject(failed)
  expect(await failing('recall.search', { query: { query: 'tabs' } })).toMatchObject(failed)
  expect(await failing('recall.text', { query: { q: 'tabs' } })).toMatchObject({
    status: 500,
    body: { error: 'Search failed', results: [] },
  })
})
