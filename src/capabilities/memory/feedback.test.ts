import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { giveFeedback } from './feedback.ts'
import { forget } from './forget.ts'
import { countRows, memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { readHistory } from './read.ts'
import { remember } from './remember.ts'

const ada = callerFor('ada')
const bob = callerFor('bob')

onEachEngine('a rating counts once a session and can change or be withdrawn', async (db) => {
  const { needs } = memoryNeeds(db)
  const { id } = (await remember(needs, ada, plain('tabs'))).memory
  const say = (rating: number, key = 's') =>
    giveFeedback(needs, ada, { key, ratings: new Map([[id, rating]]) })

  expect(await say(1)).toEqual([{ id, status: 'recorded' }])
  expect(await say(1)).toEqual([{ id, status: 'unchanged' }])
  expect(await say(-1)).toEqual([{ id, status: 'recorded' }])
  expect(await say(1, 'another')).toEqual([{ id, status: 'recorded' }])
  expect(await countRows(db, 'memory_feedback')).toBe(2)

  expect(await say(0)).toEqual([{ id, status: 'withdrawn' }])
  expect(await say(0)).toEqual([{ id, status: 'unchanged' }])
  expect(await countRows(db, 'memory_feedback')).toBe(1)
  const history = await readHistory(needs, ada, { id, limit: 10 })
  expect(history.slice(1).map(({ event, metadata }) => [event, metadata?.['rating']])).toEqual([
    ...[1, -1, 1, 0].map((rating) => ['rated', rating]),
  ])
})

onEachEngine('the key of a rating defaults to the session of the caller', async (db) => {
  const { needs } = memoryNeeds(db)
  const { id } = (await remember(needs, ada, plain('tabs'))).memory
  const say = (sessionKey: string | null, key?: string) =>
    giveFeedback(needs, { ...ada, sessionKey }, { key, ratings: new Map([[id, 1]]) })

  expect(await say('s')).toEqual([{ id, status: 'recorded' }])
  expect(await say(null, 's')).toEqual([{ id, status: 'unchanged' }])
  expect(await say('s', 'another')).toEqual([{ id, status: 'recorded' }])
  await expect(async () => say(null)).rejects.toMatchObject({
    kind: 'invalid',
    message: 'sessionKey is required',
  })
})

onEachEngine('unreadable memories are rated as not found', async (db) => {
  const { needs } = memoryNeeds(db, { bob: 'shared' })
  const save = async (content: string, visibility: 'global' | 'private') =>
    (await remember(needs, ada, { ...plain(content), visibility })).memory.id
  const [open, secret, gone] = [
    await save('open', 'global'),
    await save('secret', 'private'),
    await save('gone', 'global'),
  ]
  await forget(needs, ada, { id: gone, reason: 'a test', ifVersion: undefined, force: false })

  const ratings = new Map([open, secret, gone, 'missing'].map((id) => [id, 0.5]))
  const taken = await giveFeedback(needs, bob, { key: 's', ratings })

  expect(taken.map(({ status }) => status)).toEqual([
    'recorded',
    'not_found',
    'not_found',
    'not_found',
  ])
})
