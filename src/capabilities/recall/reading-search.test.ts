import { expect } from 'vitest'
import { addReadings } from './reading-search.ts'
import { insert, onEachEngine, recallNeeds, stubEngine } from './recall.fixture.ts'
import { createStopwatch } from './stopwatch.ts'

const readScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null } as const
const now = '2026-01-02T03:04:05.000Z'

onEachEngine('the readings of a query add what they find to its hits', async (db) => {
  const { needs } = await recallNeeds(db)
  const ids = ['own', 'weak', 'other', 'more', 'last']
  await insert(db, ...ids.map((id) => ({ id, content: `note ${id}` })))
  const request = { readScope, filters: { scope: null }, limit: 5 }
  const question = {
    query: 'port of the titan',
    searchText: 'port of the titan',
    keywordQuery: undefined,
    preferredProject: undefined,
    explain: false,
    now,
    stopwatch: createStopwatch(needs.host),
  }
  const found = await needs.memory.search.listFound({ ids: ['own', 'weak'], at: now }, request)
  const direct = found.map((hit) => ({
    found: hit,
    score: hit.memory.id === 'own' ? 0.6 : 0.2,
    source: 'hybrid' as const,
    stages: [],
  }))
  const read = async (share: number, score: number, shown = direct) => {
    const played = stubEngine(['weak', 'other', 'more', 'last'].map((id) => ({ id, score })))
    const readings = [{ text: 'port of Atlas', share, reason: 'the titan is Atlas' }]
    const all = { request, readings, direct: shown }
    const hits = await addReadings({ ...needs, ...played }, question, all)
    expect(played.queries.map(({ text }) => text)).toEqual(['port of Atlas'])
    return hits.map(({ found, score, reading }) => [found.memory.id, score, reading])
  }

  // Another name of the same entity counts like the name in the query.
  expect((await read(1, 0.8)).toSorted()).toEqual([
    ['last', 0.8, 'port of Atlas'],
    ['more', 0.8, 'port of Atlas'],
    ['other', 0.8, 'port of Atlas'],
    ['own', 0.6, undefined],
    ['weak', 0.8, 'port of Atlas'],
  ])
  // Another entity stays below the best direct hit and takes two of five places.
  const linked = await read(0.9, 0.8)
  expect(linked.filter(([, , reading]) => reading)).toHaveLength(2)
  expect(Math.max(...linked.map(([, score]) => Number(score)))).toBe(0.6)
  // A hit that the query itself scores higher is still about the other entity.
  const lower = await read(0.9, 0.1)
  expect(lower.find(([id]) => id === 'weak')).toEqual(['weak', 0.2, 'port of Atlas'])
  // Without a direct hit weak evidence about another entity is no answer.
  expect(await read(0.9, 0.5, [])).toEqual([])
  expect(await read(0.9, 0.6, [])).toHaveLength(2)
  const none = { request, readings: [], direct }
  expect(await addReadings(needs, question, none)).toBe(direct)
})
