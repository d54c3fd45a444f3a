import { expect } from 'vitest'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { addSuccessors } from './graph-context.ts'
import { loadGraphHits, searchGraph } from './graph-search.ts'
import { hybridSearch } from './hybrid-search.ts'
import { insert, onEachEngine, recallNeeds, stubEngine } from './recall.fixture.ts'
import { createStopwatch } from './stopwatch.ts'

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
    { query: 'note' },
    { readScope, filters: { scope: null }, limit: 2 },
  )

  const hits = found?.hits.map(({ id, score }) => [id, score])
  expect(hits?.toSorted()).toEqual([
    ['b', 0.9],
    ['c', 0.5],
  ])
})

onEachEngine('without the memories of graph hits the direct hits answer', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'note a' })
  const fails = () => Promise.reject(new Error('busy'))
  const memory = { ...needs.memory, search: { ...needs.memory.search, listFound: fails } }
  const request = { readScope, filters: { scope: null }, limit: 2 }
  const hits = [{ id: 'a', score: 0.9, source: 'structured' as const, reason: 'a claim' }]

  expect(await loadGraphHits({ ...needs, memory }, { hits, now }, request)).toBeUndefined()
})

onEachEngine('a successor of a memory that is no hit is no hit', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'new', content: 'note new' })
  const request = { readScope, filters: { scope: null }, limit: 2, at: now }
  const supersession = { states: new Map(), successors: new Map([['old', ['new']]]) }

  const found = await addSuccessors(needs, request, { hits: [], supersession })

  expect(found.hits).toEqual([])
})

onEachEngine('reads the claims of all hits at once', async (db) => {
  const { needs } = await recallNeeds(db)
  for (const id of ['a', 'b', 'c']) await insert(db, { id, content: `note ${id}` })
  const reads: string[][] = []
  const graph = sealedPoint({
    search: async () => {
      const hit = { id: 'c', score: 0.9, source: 'structured' as const, reason: 'a claim' }
      return { hits: [hit], entities: [], readings: [] }
    },
    listCurrentness: async (_: unknown, ids: readonly string[]) => {
      reads.push([...ids].toSorted())
      return new Map(ids.map((id) => [id, id === 'b' ? 'superseded' : 'current'] as const))
    },
  })
  const { engine, embeddings } = stubEngine([{ id: 'a' }, { id: 'b' }])

  const { candidates } = await hybridSearch(
    { ...needs, graph, engine, embeddings },
    {
      query: 'note',
      searchText: 'note',
      keywordQuery: undefined,
      explain: true,
      now,
      stopwatch: createStopwatch(needs.host),
    },
    { readScope, filters: { scope: null }, limit: 10 },
  )

  expect(reads).toEqual([['a', 'b', 'c']])
  const reasonOf = ({ row }: (typeof candidates)[number]) =>
    row.explain?.stages.find(({ name }) => name === 'currentness')?.reason
  expect(new Map(candidates.map((one) => [one.row.id, reasonOf(one)]))).toEqual(
    new Map([
      ['a', 'its claims are current'],
      ['b', 'its claims are superseded'],
      ['c', 'its claims are current'],
    ]),
  )
})
