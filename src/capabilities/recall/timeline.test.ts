import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { ask, insert, onEachEngine, recallNeeds } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')
const at = '2025-06-05T12:00:00.000Z'
const time = { start: '2025-06-05T00:00:00Z' }

/** A session that lasted into every time, and the requests to it. */
async function withSession(db: Db) {
  const { needs } = await recallNeeds(db)
  const requests: unknown[] = []
  const listSummaries = async (of: unknown) => {
    requests.push(of)
    const about = { id: 'node', content: 'We talked of ferries.', sessionKey: 's', project: null }
    return [{ ...about, earliestAt: at, latestAt: at }]
  }
  const transcripts = { ...needs.transcripts, listSummaries }
  const answer = async (more: object, caller = ada) =>
    recall({ ...needs, transcripts }, caller, ask('what did I do', { time, ...more }))
  return { answer, requests }
}

onEachEngine('lists session summaries of a time range first, without duplicates', async (db) => {
  const { answer, requests } = await withSession(db)
  await insert(db, { id: 'a', content: 'deploy', createdAt: at })

  const { results } = await answer({ sessionKey: 'now' })

  expect(results.map(({ id, content, score }) => [id, content, score])).toEqual([
    ['temporal:session:node:session', 'We talked of ferries.', 1],
    ['temporal:memory:a:captured', 'deploy', 0.7],
  ])
  expect(results[0]).toMatchObject({ session_id: 's', source: 'temporal_session' })
  expect(requests).toMatchObject([
    { agentId: 'ada', during: { start: '2025-06-05T00:00:00.000Z' } },
  ])
  expect((await answer({ sessionKey: 'now' })).meta.dedupe).toMatchObject({ suppressed: 2 })
})

onEachEngine('memory filters exclude sessions', async (db) => {
  const { answer, requests } = await withSession(db)
  const inApollo = { ...ada, scope: { project: 'apollo' } }

  for (const more of [{ type: 'fact' }, { tags: 'x' }, { scope: 'world' }, { asOf: at }])
    await answer(more)
  await answer({ project: 'gemini' }, inApollo)
  await answer({ time: { ...time, facets: ['captured'] } })
  expect(requests).toEqual([])

  await answer({ within: 'session', sessionKey: 's' }, inApollo)
  expect(requests).toMatchObject([{ sessionKey: 's', project: 'apollo' }])
})
