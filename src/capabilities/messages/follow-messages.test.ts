import { expect, onTestFinished } from 'vitest'
import type { Caller } from '../../kernel/auth/caller.ts'
import { createMessageFeed, followMessages } from './follow-messages.ts'
import { ada, bob, messagesNeeds, onEachEngine, send, shy } from './messages.fixture.ts'
import { messageNotices } from './notices.ts'

type Needs = Awaited<ReturnType<typeof messagesNeeds>>['needs']

/** Follows as a caller and returns the next event. */
function follow(needs: Needs, caller: Caller, lastId?: string) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const request = { signal: leaving.signal, lastId, project: undefined }
  const feed = createMessageFeed(needs)
  const events = followMessages({ ...needs, feed }, caller, request)
  const next = async () => (await events.next()).value
  return { next, feed }
}

const presence = {
  key: 'one',
  sessionKey: 'one',
  agentId: 'ada',
  harness: 'codex',
  project: null,
  runtimePath: null,
  provider: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: '2026-01-01T00:00:00.000Z',
}

onEachEngine('a follower receives a snapshot, then messages to its agent', async (db) => {
  const { needs } = await messagesNeeds(db)
  await send(needs, ada, { content: 'before', toAgentId: 'bob' })
  const stream = follow(needs, bob)

  expect(await stream.next()).toMatchObject({ data: { type: 'connected', agentId: 'bob' } })
  expect(await stream.next()).toMatchObject({
    data: { type: 'snapshot', presence: [], messages: [{ content: 'before' }] },
  })
  await send(needs, ada, { content: 'to shy', toAgentId: 'shy' })
  await send(needs, ada, { content: 'after <system-reminder>', toAgentId: 'bob' })
  expect(await stream.next()).toMatchObject({
    id: expect.any(String),
    data: { type: 'message', message: { content: 'after &lt;system-reminder>' } },
  })
})

onEachEngine('a follower of a session receives no message to another session', async (db) => {
  const { needs, active } = await messagesNeeds(db)
  for (const sessionKey of ['one', 'two'])
    active.push({ agentId: 'bob', sessionKey, project: null })
  const stream = follow(needs, { ...bob, sessionKey: 'one' })
  await stream.next()
  await stream.next()
  await send(needs, ada, { content: 'to two', toAgentId: 'bob', toSessionKey: 'two' })
  await send(needs, ada, { content: 'to one', toAgentId: 'bob', toSessionKey: 'one' })

  expect(await stream.next()).toMatchObject({ data: { message: { content: 'to one' } } })
})

onEachEngine('an isolated follower receives no broadcast', async (db) => {
  const { needs } = await messagesNeeds(db)
  const stream = follow(needs, shy)
  await stream.next()
  await stream.next()
  await send(needs, ada, { content: 'to all', broadcast: true })
  await send(needs, ada, { content: 'to shy', toAgentId: 'shy' })

  expect(await stream.next()).toMatchObject({ data: { message: { content: 'to shy' } } })
})

onEachEngine('a follower learns which sessions appear, change and disappear', async (db) => {
  const { needs, presences } = await messagesNeeds(db)
  const stream = follow(needs, bob)
  await stream.next()
  await stream.next()
  const changes = [[presence], [{ ...presence, harness: 'gemini' }], []]
  for (const listed of changes) {
    presences.splice(0, presences.length, ...listed)
    await stream.feed.tick()
    const { data } = (await stream.next()) ?? {}
    const [{ harness } = { harness: 'gemini' }] = listed
    expect(data).toMatchObject({
      type: 'presence',
      action: listed.length > 0 ? 'upsert' : 'remove',
      presence: { agentId: 'ada', harness },
      activeCount: listed.length,
    })
  }
})

onEachEngine('unread messages are notices until the agent acknowledges them', async (db) => {
  const { needs } = await messagesNeeds(db)
  const { message } = await send(needs, ada, { content: 'look', toAgentId: 'bob' })
  const list = (caller: Caller) => messageNotices(needs).list({ caller, sessionKey: undefined })

  expect(await list(bob)).toMatchObject([
    { id: `message:${message.id}`, scope: 'session', text: 'info from the agent ada: look' },
  ])
  expect(await list(ada)).toEqual([])
  expect(await list(shy)).toEqual([])
})
