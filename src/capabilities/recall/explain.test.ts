import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { ask, insert, onEachEngine, recallNeeds, rows, stubEngine } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')

onEachEngine('explains each stage and the combined score with a reason', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' }, { id: 'b', content: 'spaces' })
  const hint = { memoryId: 'b', agentId: 'ada', hint: 'tabs' }
  await rows(db).insertInto('memoryHints').values(hint).execute()
  const evidence = { lexical: 0, soft: 0, vector: 0.2, hint: 0.4 }
  const played = stubEngine([
    { id: 'a', score: 0.7, stages: [{ name: 'lexical', score: 1.2, reason: 'its words' }] },
    { id: 'b', score: 0.4, source: 'hint', evidence },
  ])
  const link = { id: 'a', score: 0.8, source: 'structured' as const, reason: 'linked' }
  const answer = { hits: [link], entities: [], readings: [] }
  const graph = sealedPoint({ search: async () => answer })
  const explained = async (more: object, options: object = {}) => {
    const request = ask('tabs', { explain: true, ...options })
    const { results } = await recall({ ...needs, ...more }, ada, request)
    const stageLists = results.map(({ explain }) => explain?.stages ?? [])
    expect(stageLists.flat().filter(({ reason }) => !reason)).toEqual([])
    const evidence = stageLists.map((stages) => stages.filter(({ name }) => name !== 'recency'))
    return evidence.map((stages) => stages.map(({ name, score }) => `${name} ${score}`))
  }

  expect(await explained(played)).toEqual([
    ['lexical 1.2', 'fused 0.7'],
    ['hint 0', 'fused 0.4'],
  ])
  const [linked] = await explained({ ...played, graph })
  expect(linked).toEqual(['lexical 1.2', 'fused 0.7', 'structured 0.8', 'fused 0.85'])
  expect(await explained({})).toEqual([
    ['words 1', 'fused 1'],
    ['hints 1', 'fused 0.75', 'hint cap 0.75'],
  ])
  const [matched] = await explained(played, { keywordQuery: 'tabs' })
  expect(matched).toEqual(['keywords 1', 'vector 0.5', expect.stringMatching(/^fused 0\.6/)])
})
