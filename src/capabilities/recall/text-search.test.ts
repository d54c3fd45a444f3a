import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { insert, onEachEngine, recallNeeds } from './recall.fixture.ts'
import { textSearchQuery } from './schemas.ts'
import { searchText } from './text-search.ts'

const ada = callerFor('ada')

/** What is answered, as pairs of ids and scores. */
async function start(db: Db) {
  const { needs } = await recallNeeds(db)
  const ask = (query: object) => searchText(needs, ada, textSearchQuery.parse(query))
  const search = async (query: object) => {
    const answer = await ask(query)
    return 'results' in answer ? answer.results.map(({ id, score }) => [id, score] as const) : []
  }
  return { needs, ask, search }
}

onEachEngine('lists by filters with pinned memories first, then by importance', async (db) => {
  const { needs, ask, search } = await start(db)
  const daysAgo = (days: number) =>
    new Date(needs.host.now().getTime() - days * 86_400_000).toISOString()
  await insert(
    ...[db, { id: 'pinned', content: 'a', pinned: 1, importance: 0.1, createdAt: daysAgo(900) }],
    { id: 'new', content: 'b', importance: 0.6, createdAt: daysAgo(0), tags: 'x,Y', who: 'Zoë' },
    { id: 'fading', content: 'c', importance: 0.8, createdAt: daysAgo(10) },
    { id: 'ancient', content: 'd', importance: 0.9, createdAt: daysAgo(900) },
    { id: 'tomorrow', content: 'e', importance: 0.5, createdAt: daysAgo(-10) },
  )

  expect(await search({ type: 'fact' })).toEqual([
    ['pinned', 1],
    ['new', 0.6],
    ['tomorrow', 0.5],
    ['fading', 0.479],
    ['ancient', 0.09],
  ])
  expect(await search({ type: 'fact', limit: 0 })).toEqual([['pinned', 1]])
  expect(await ask({ tags: 'y', pinned: 'false' })).toEqual({
    results: [
      {
        id: 'new',
        content: 'b',
        created_at: daysAgo(0),
        who: 'Zoë',
        importance: 0.6,
        tags: 'x,Y',
        type: 'fact',
        pinned: false,
        score: 0.6,
      },
    ],
  })
  expect(await ask({ distinct: 'who', pinned: 0 })).toEqual({ values: ['Zoë', 'ada'] })
  expect(await ask({ limit: 3 })).toEqual({ results: [] })
})

onEachEngine('the default limit is 20 for words and 50 for filters', async (db) => {
  const { search } = await start(db)
  const numbers = Array.from({ length: 60 }, (_, number) => number)
  await insert(db, ...numbers.map((number) => ({ id: `m${number}`, content: `tabs ${number}` })))

  const runRecall = async (query: object) => (await search(query)).length
  expect([await runRecall({ q: 'tabs' }), await runRecall({ type: 'fact' })]).toEqual([20, 50])
  expect([
    await runRecall({ q: 'tabs', limit: '55' }),
    await runRecall({ type: 'fact', limit: 5000 }),
  ]).toEqual([55, 60])
})

onEachEngine('orders FTS matches by rank and invalid expressions by age', async (db) => {
  const { search } = await start(db)
  await insert(
    ...[db, { id: 'once', content: 'a tab' }, { id: 'best', content: 'tab tab' }],
    ...['p', 'q', 'r', 's'].map((id) => ({ id, content: `something else ${id}` })),
  )

  expect(await search({ q: 'tab\0le' })).toEqual([])
  const found = await search({ q: 'tab' })
  expect(found[0]?.[0]).toBe('best')
  for (const [, score] of found) expect(score).toBeGreaterThan(0)
  // In neither engine is a text of so many words an expression.
  const text = `the "tab${' x'.repeat(70)}`
  await insert(
    ...[db, { id: 'old', content: `say ${text}`, createdAt: '2025-01-01T00:00:00.000Z' }],
    { id: 'new', content: 'y', tags: `x,${text}` },
  )
  expect(await search({ q: text })).toEqual([
    ['new', 0],
    ['old', 0],
  ])
})
