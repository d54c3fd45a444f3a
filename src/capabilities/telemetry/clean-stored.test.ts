import { expect } from 'vitest'
import { createCleaningTasks } from './clean-stored.ts'
import type { RecordedSearch } from './search.ts'
import { tables } from './store/rows.ts'
import { insertSearches } from './store/searches.ts'
import { onEachEngine } from './telemetry.fixture.ts'

const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const text = `heron ${key} <private>umbrage</private> DB_PASSWORD=rosebud`

function toSearch(id: string, query: string, words: string): RecordedSearch {
  const search = {
    id,
    createdAt: '2026-01-02T03:04:05.000Z',
    route: 'x',
    agentId: 'ada',
    sessionKey: null,
    project: null,
    query,
    keywordQuery: words,
    method: 'hybrid',
    durationMs: 1,
    stages: [],
    filters: { who: query, tags: [query], limit: 3 },
    results: [1, 2].map((rank) => ({
      rank,
      itemId: `m${rank}`,
      memoryId: `m${rank}`,
      score: 1,
      source: 'memory',
      content: rank === 1 ? query : null,
      contentLength: 9,
      truncated: false,
    })),
  }
  return search as unknown as RecordedSearch
}

onEachEngine('redacts searches of earlier versions and their results', async (db) => {
  const split = `heron ${key.toLowerCase().replace('_', ' ')} umbrage`
  await insertSearches(db, [toSearch('a', text, split), toSearch('b', 'plain heron', 'heron')])

  for (const task of createCleaningTasks(db)) expect(await task.run(undefined)).toBe(undefined)

  const searches = await tables(db)
    .selectFrom('memorySearchTelemetry')
    .selectAll()
    .orderBy('id')
    .execute()
  const results = await tables(db)
    .selectFrom('memorySearchTelemetryResults')
    .selectAll()
    .orderBy('searchId')
    .orderBy('rank')
    .execute()
  const stored = JSON.stringify([searches, results]).toLowerCase()
  for (const mark of [key.slice(4).toLowerCase(), 'umbrage', 'rosebud'])
    expect(stored).not.toContain(mark)
  const clean = 'heron [REDACTED]  DB_PASSWORD=[REDACTED]'
  expect(searches).toMatchObject([
    {
      id: 'a',
      query: clean,
      keywordQuery: null,
      filters: JSON.stringify({ who: clean, tags: [clean], limit: 3 }),
    },
    { id: 'b', query: 'plain heron', keywordQuery: 'heron' },
  ])
  expect(results.map(({ content }) => content)).toEqual([clean, null, 'plain heron', null])
})
