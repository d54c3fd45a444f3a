import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { ask, insert, onEachEngine, recallNeeds, rows } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')
const [may, june, july, august] = [5, 6, 7, 8].map((month) => `2025-0${month}-01T00:00:00.000Z`)

onEachEngine('asOf recalls the memories current at that time', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(
    db,
    {
      id: 'first',
      content: 'tabs first',
      createdAt: may,
      supersededBy: 'second',
      supersededAt: july,
    },
    { id: 'second', content: 'tabs second', createdAt: july },
    { id: 'gone', content: 'tabs gone', createdAt: may, deletedAt: august },
    { id: 'valid', content: 'tabs valid', createdAt: may },
  )
  const edge = {
    id: 'e',
    agentId: 'ada',
    subjectType: 'memory',
    subjectId: 'valid',
    facet: 'valid',
  }
  const span = { startAt: june, endAt: july, confidence: 1, createdAt: may }
  await rows(db)
    .insertInto('temporalEdges')
    .values({ ...edge, ...span })
    .execute()
  const recallIds = async (asOf?: string, more: object = {}) => {
    const { results, meta } = await recall(needs, ada, ask('tabs', { asOf, ...more }))
    expect(meta.asOf).toBe(asOf)
    return results.map(({ id }) => id).toSorted()
  }

  expect(await recallIds(may)).toEqual(['first'])
  expect(await recallIds(june)).toEqual(['first', 'valid'])
  expect(await recallIds(july)).toEqual(['second'])
  expect(await recallIds(undefined)).toEqual(['second', 'valid'])
  expect(await recallIds('2025-04-01T00:00:00.000Z')).toEqual([])
  const during = { start: may, end: june, mode: 'filter' }
  expect(await recallIds(june, { time: during })).toEqual(['first', 'valid'])
  expect(await recallIds(undefined, { time: during })).toEqual(['valid'])
  const time = { start: may, end: august, mode: 'timeline' }
  expect(await recallIds(june, { time })).toEqual([
    'temporal:memory:first:captured',
    'temporal:memory:valid:captured',
    'temporal:memory:valid:valid',
  ])
})

onEachEngine('a supersession takes effect at the time of its source', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(
    db,
    {
      id: 'old',
      content: 'tabs old',
      createdAt: may,
      supersededBy: 'new',
      supersededAt: august,
    },
    { id: 'new', content: 'tabs new', createdAt: june },
    {
      id: 'lone',
      content: 'tabs lone',
      createdAt: may,
      supersededBy: 'unknown',
      supersededAt: july,
    },
  )
  const recallIds = async (asOf?: string) =>
    (await recall(needs, ada, ask('tabs', { asOf }))).results.map(({ id }) => id).toSorted()

  expect(await recallIds(may)).toEqual(['lone', 'old'])
  expect(await recallIds(june)).toEqual(['lone', 'new'])
  expect(await recallIds(july)).toEqual(['new'])
  expect(await recallIds()).toEqual(['new'])
})

onEachEngine('memories outside their validity rank last, with the reason', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'valid', content: 'tabs' }, { id: 'always', content: 'tabs' })
  const edge = {
    id: 'e',
    agentId: 'ada',
    subjectType: 'memory',
    subjectId: 'valid',
    facet: 'valid',
  }
  const span = { startAt: may, endAt: june, confidence: 1, createdAt: may }
  await rows(db)
    .insertInto('temporalEdges')
    .values({ ...edge, ...span })
    .execute()

  const { results } = await recall(needs, ada, ask('tabs', { explain: true }))

  expect(results.map(({ id }) => id)).toEqual(['always', 'valid'])
  expect(results[0]?.explain?.stages.map(({ name }) => name)).toEqual(['words', 'fused', 'recency'])
  expect(results[1]?.explain?.stages.at(-1)).toMatchObject({
    name: 'currentness',
    reason: 'valid at another time',
  })
})

onEachEngine('negative feedback lowers the score for its agent only', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' }, { id: 'b', content: 'tabs' })
  const opinion = { memoryId: 'a', agentId: 'ada', key: 's', rating: -1, createdAt: may }
  await rows(db).insertInto('memoryFeedback').values(opinion).execute()

  const first = async (agentId: string) =>
    (await recall(needs, callerFor(agentId), ask('tabs'))).results[0]?.id

  expect(await first('ada')).toBe('b')
  expect(await first('carol')).toBe('a')
})
