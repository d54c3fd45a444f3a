import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { ask, insert, onEachEngine, recallNeeds, rows, stubEngine } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')
const time = { start: '2025-06-01', mode: 'timeline' }

async function withNeighbours(db: Db) {
  const { needs } = await recallNeeds(db)
  await insert(
    db,
    { id: 'own', content: 'tabs 今天' },
    { id: 'now', content: 'tabs 今天 now', sessionId: 's' },
    { id: 'shared', content: 'tabs 今天 shared', agentId: 'bob', sessionId: 's' },
    { id: 'private', content: 'tabs 今天', agentId: 'bob', sessionId: 's', visibility: 'private' },
  )
  for (const memoryId of ['own', 'now', 'shared', 'private'])
    await rows(db)
      .insertInto('memoryHints')
      .values({ memoryId, agentId: 'ada', hint: 'indentation' })
      .execute()
  const ids = async (query: string, more: object) => {
    const { results } = await recall(needs, ada, ask(query, { includeRecalled: true, ...more }))
    return results.map(({ id, subject_id = id }) => subject_id).toSorted()
  }
  return { needs, ids }
}

onEachEngine('within restricts a recall to the agent or to the session', async (db) => {
  const { ids } = await withNeighbours(db)
  const session = { within: 'session', sessionKey: 's' }

  for (const query of ['tabs', '今天', 'indentation']) {
    expect(await ids(query, {})).toEqual(['now', 'own', 'shared'])
    expect(await ids(query, { within: 'global' })).toEqual(['now', 'own', 'shared'])
    expect(await ids(query, { within: 'agent' })).toEqual(['now', 'own'])
    expect(await ids(query, session)).toEqual(['now', 'shared'])
    expect(await ids(query, { ...session, sessionKey: 'other' })).toEqual([])
  }
  expect(await ids('tabs', { time, within: 'agent' })).toEqual(['now', 'own'])
  expect(await ids('tabs', { time: { ...time, mode: 'filter' }, ...session })).toEqual([
    'now',
    'shared',
  ])
})

onEachEngine('within restricts engine hits as well', async (db) => {
  const { needs } = await withNeighbours(db)
  const all = ['own', 'now', 'shared', 'private'].map((id) => ({ id }))
  const played = stubEngine(all)
  const found = async (more: object, caller = ada) => {
    const { results } = await recall({ ...needs, ...played }, caller, ask('x', more))
    return results.map(({ id }) => id).toSorted()
  }

  expect(await found({ within: 'agent' })).toEqual(['now', 'own'])
  const inSession = { ...ada, sessionKey: 's' }
  expect(await found({ within: 'session' }, inSession)).toEqual(['now', 'shared'])
  expect(played.queries.map(({ filters }) => filters)).toMatchObject([
    { agentId: 'ada', sessionId: undefined },
    { agentId: undefined, sessionId: 's' },
  ])
})

onEachEngine('within=session without a session is invalid', async (db) => {
  const { needs } = await recallNeeds(db)

  await expect(recall(needs, ada, ask('tabs', { within: 'session' }))).rejects.toMatchObject({
    kind: 'invalid',
    code: 'session_required',
  })
})
