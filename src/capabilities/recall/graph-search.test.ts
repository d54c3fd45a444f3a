import { expect } from 'vitest'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { searchGraph } from './graph-search.ts'
import { insert, onEachEngine, recallNeeds } from './recall.fixture.ts'

const readScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null } as const
const now = '2026-01-02T03:04:05.000Z'

onEachEngine('keeps the best graph hits up to the limit', async (db) => {
  const { needs } = await recallNeeds(db)
  for (const id of ['a', 'b', 'c', 'd']) await insert(db, { id, content: `note ${id}` })
  const link = { source: 'traversal' as const, reason: 'its neighbour' }
  const scores = { a: 0.2, b: 0.9, c: 0.5, d: 0.4 }
  const search = async () => {
    const hits = [
      ...Object.entries(scores).map(([id, score]) => ({ ...link, id, score })),
      // Once more, by a longer way.
      { ...link, id: 'b', score: 0.1 },
    ]
    return { hits, entities: [], readings: [] }
  }

  const found = await searchGraph(
    { ...needs, graph: sealedPoint({ search }) },
    { query: 'note', now },
    { readScope, filters: { scope: null }, limit: 2 },
  )

  const hits = found?.hits.map(({ found, score }) => [found.memory.id, score])
  expect(hits?.toSorted()).toEqual([
    ['b', 0.9],
    ['c', 0.5],
  ])
})
