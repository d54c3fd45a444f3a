import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { retryMessage } from './deliver.ts'
import { acknowledge } from './inbox.ts'
import { ada, bob, inbox, messagesNeeds, onEachEngine, send, shy } from './messages.fixture.ts'
import { countMessages, deleteAgentRows, deleteExpired } from './store.ts'

onEachEngine('a direct message reaches its addressee and its sender only', async (db) => {
  const { needs, emitted } = await messagesNeeds(db)

  const { message } = await send(needs, ada, { content: 'for bob', toAgentId: 'bob' })

  expect(message).toMatchObject({
    fromAgentId: 'ada',
    toAgentId: 'bob',
    deliveryState: 'delivered',
  })
  expect(emitted).toMatchObject([{ id: message.id, fromAgentId: 'ada', toAgentId: 'bob' }])
  expect(await inbox(needs, bob)).toMatchObject({ texts: ['for bob'], total: 1, unreadCount: 1 })
  expect(await inbox(needs, ada)).toMatchObject({ texts: [], total: 0, unreadCount: 0 })
  expect((await inbox(needs, ada, { include_sent: true })).texts).toEqual(['for bob'])
  expect(await inbox(needs, shy)).toMatchObject({ texts: [], total: 0, unreadCount: 0 })
  await expect(acknowledge(needs, shy, message.id)).rejects.toThrow('Message not found')
  await expect(acknowledge(needs, ada, message.id)).rejects.toThrow('Message not found')
  await expect(retryMessage(needs, bob, message.id)).rejects.toThrow('Message not found')
})

onEachEngine('a broadcast reaches the agents that may read its sender', async (db) => {
  const { needs } = await messagesNeeds(db)

  await send(needs, ada, { content: 'to all', broadcast: true })
  await send(needs, shy, { content: 'from shy', broadcast: true })

  expect((await inbox(needs, bob)).texts).toEqual(expect.arrayContaining(['to all', 'from shy']))
  expect((await inbox(needs, bob, { include_broadcast: false })).texts).toEqual([])
  expect(await inbox(needs, shy)).toMatchObject({ texts: [], unreadCount: 0 })
  expect((await inbox(needs, ada)).texts).toEqual(['from shy'])
})

onEachEngine('an acknowledgement is per agent and idempotent', async (db) => {
  const { needs, host } = await messagesNeeds(db)
  const { message } = await send(needs, ada, { broadcast: true })
  const cyd = { ...bob, agentId: 'cyd' }
  await needs.agents.register(db, cyd)

  const first = await acknowledge(needs, bob, message.id)
  host.advance(1000)
  const again = await acknowledge(needs, bob, message.id)

  expect(first).toMatchObject({ agentId: 'bob', alreadyAcknowledged: false })
  expect(again).toEqual({ ...first, alreadyAcknowledged: true })
  expect(await inbox(needs, bob)).toMatchObject({
    unreadCount: 0,
    items: [{ acknowledgedAt: first.acknowledgedAt }],
  })
  expect(await inbox(needs, cyd)).toMatchObject({
    unreadCount: 1,
    items: [{ acknowledgedAt: null }],
  })
  expect((await inbox(needs, bob, { unread_only: true })).texts).toEqual([])
})

onEachEngine('a message for a session is unread in this session alone', async (db) => {
  const { needs, active } = await messagesNeeds(db)
  active.push({ agentId: 'bob', sessionKey: 'one', project: null })

  const { message } = await send(needs, ada, { toSessionKey: 'session:one' })

  expect(message).toMatchObject({ toAgentId: 'bob', toSessionKey: 'one' })
  const within = (sessionKey: string) => ({ ...bob, sessionKey })
  expect(await inbox(needs, within('one'))).toMatchObject({ unreadCount: 1, total: 1 })
  expect(await inbox(needs, within('two'))).toMatchObject({ unreadCount: 0, total: 0 })
  expect(await inbox(needs, bob)).toMatchObject({ unreadCount: 0, total: 1 })
})

onEachEngine('a session without activity, or of several agents, is refused', async (db) => {
  const { needs, active } = await messagesNeeds(db)
  const refused = { code: 'session_not_active' }

  await expect(send(needs, ada, { toSessionKey: 'one' })).rejects.toMatchObject(refused)
  for (const agentId of ['ada', 'bob']) active.push({ agentId, sessionKey: 'one', project: 'beta' })
  await expect(send(needs, ada, { toSessionKey: 'one' })).rejects.toMatchObject(refused)
  const elsewhere = { ...ada, scope: { project: 'alpha' } }
  const direct = { toSessionKey: 'one', toAgentId: 'bob' }
  await expect(send(needs, elsewhere, direct)).rejects.toMatchObject(refused)
  expect((await send(needs, ada, direct)).message.toAgentId).toBe('bob')
})

onEachEngine('a target is required, and only one kind of it', async (db) => {
  const { needs } = await messagesNeeds(db)
  const acp = { baseUrl: 'http://127.0.0.1:9', targetAgentName: 'x' }

  for (const body of [
    {},
    { broadcast: true, toAgentId: 'bob' },
    { broadcast: true, acp },
    { via: 'acp', toAgentId: 'bob' },
    { via: 'local', acp },
  ])
    await expect(send(needs, ada, body)).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(send(needs, ada, { acp })).rejects.toMatchObject({ code: 'acp_origin_not_allowed' })
  expect(await countMessages(db, needs.host.now().toISOString())).toBe(0)
})

onEachEngine(
  'a token with an agent sends as this agent, and a project stays inside',
  async (db) => {
    const { needs } = await messagesNeeds(db)
    const scoped = { ...bob, scope: { agent: 'bob' } }
    const inAlpha = { ...bob, scope: { project: 'alpha' } }

    await expect(send(needs, scoped, { fromAgentId: 'ada', toAgentId: 'bob' })).rejects.toThrow(
      "scope restricted to agent 'bob'",
    )
    expect(
      (await send(needs, ada, { fromAgentId: 'bob', toAgentId: 'ada' })).message,
    ).toMatchObject({
      fromAgentId: 'bob',
    })
    await send(needs, ada, { content: 'of beta', project: 'beta', toAgentId: 'bob' })
    await send(needs, ada, { content: 'of none', toAgentId: 'bob' })
    expect((await inbox(needs, inAlpha)).texts).toEqual([])
    await send(needs, { ...ada, scope: { project: 'alpha' } }, { content: 'a', toAgentId: 'bob' })
    expect((await inbox(needs, inAlpha)).texts).toEqual(['a'])
    await expect(send(needs, inAlpha, { project: 'beta', broadcast: true })).rejects.toThrow(
      'alpha',
    )
  },
)

onEachEngine('credentials are redacted and counted', async (db) => {
  const { needs } = await messagesNeeds(db)
  const key = `ghp_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY3zA5'}`

  const { message, redactions } = await send(needs, ada, {
    content: `Use ${key} and <private>my own</private> well`,
    toAgentId: 'bob',
  })

  expect(redactions).toBe(2)
  expect(message.content).not.toContain(key)
  expect(message.content).not.toContain('my own')
  const blocking = { ...needs, secretPolicy: () => 'block' as const }
  await expect(send(blocking, ada, { content: key, toAgentId: 'bob' })).rejects.toMatchObject({
    code: 'credential_blocked',
  })
})

onEachEngine('expired messages are not returned, and a sweep deletes them', async (db) => {
  const { needs, host } = await messagesNeeds(db)
  const { message } = await send(needs, ada, { toAgentId: 'bob' })
  await acknowledge(needs, bob, message.id)

  host.advance(7 * 86_400_000)

  expect(await inbox(needs, bob)).toMatchObject({ total: 0, unreadCount: 0 })
  await expect(acknowledge(needs, bob, message.id)).rejects.toThrow('Message not found')
  await deleteExpired(db, host.now().toISOString())
  expect(await countMessages(db, '2000')).toBe(0)
})

onEachEngine('a message is found by the beginning of its id, by its readers only', async (db) => {
  const { needs } = await messagesNeeds(db)
  const { message } = await send(needs, ada, { content: 'for bob', toAgentId: 'bob' })
  await send(needs, ada, { content: 'also for bob', toAgentId: 'bob' })
  const rows = db.withTables<Rows>()
  const set = { id: '0195f3a0-1111-7222-8333-444455556666' }
  await rows.updateTable('crossAgentMessages').set(set).where('id', '=', message.id).execute()
  const query = { id_prefix: '0195f3a0' }

  expect(await inbox(needs, bob, query)).toMatchObject({ total: 1, unreadCount: 2 })
  expect(await inbox(needs, shy, query)).toMatchObject({ total: 0 })
})

onEachEngine('10,000 messages are stored, expired ones not counted', async (db) => {
  const { needs, host } = await messagesNeeds(db)
  const { message } = await send(needs, ada, { toAgentId: 'bob' })
  await copyMessage(db, message.id, 9_998)

  await send(needs, ada, { toAgentId: 'bob' })
  await expect(send(needs, ada, { toAgentId: 'bob' })).rejects.toMatchObject({
    kind: 'too_many',
    code: 'message_store_full',
  })
  host.advance(8 * 86_400_000)
  await send(needs, ada, { content: 'after a week', toAgentId: 'bob' })
  expect(await inbox(needs, bob)).toMatchObject({ texts: ['after a week'], total: 1 })
})

type Rows = { crossAgentMessages: { readonly id: string } }

/** Doubles the copies with each statement, so that many of them take little time. */
async function copyMessage(db: Db, id: string, count: number): Promise<void> {
  const rows = db.withTables<Rows>()
  const message = await rows
    .selectFrom('crossAgentMessages')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const [, ...others] = Object.keys(message) as (keyof typeof message)[]
  for (let made = 0, round = 0; made < count; round++) {
    const limit = Math.min(made + 1, count - made)
    const copies = rows
      .selectFrom('crossAgentMessages')
      .select(({ eb }) => eb('id', '||', `.${round}`).as('id'))
      .select(others)
      .where('id', 'like', `${id}%`)
      .limit(limit)
    await rows
      .insertInto('crossAgentMessages')
      .columns(['id', ...others])
      .expression(copies)
      .execute()
    made += limit
  }
}

onEachEngine('a removed agent leaves no message that it sent or received', async (db) => {
  const { needs } = await messagesNeeds(db)
  await send(needs, ada, { toAgentId: 'bob' })
  await send(needs, bob, { broadcast: true })
  const { message } = await send(needs, ada, { content: 'stays', broadcast: true })
  await acknowledge(needs, bob, message.id)

  await deleteAgentRows(db, 'bob')

  expect((await inbox(needs, bob)).items).toMatchObject([
    { content: 'stays', acknowledgedAt: null },
  ])
  expect((await inbox(needs, ada, { include_sent: true })).texts).toEqual(['stays'])
})

onEachEngine('a page has the newest messages first, or the oldest', async (db) => {
  const { needs, host } = await messagesNeeds(db)
  for (const content of ['one', 'two', 'three']) {
    await send(needs, ada, { content, toAgentId: 'bob' })
    host.advance(1000)
  }

  expect(await inbox(needs, bob, { limit: 2 })).toMatchObject({
    texts: ['three', 'two'],
    hasMore: true,
    total: 3,
  })
  const rest = { limit: 2, offset: 2, order: 'asc' }
  expect(await inbox(needs, bob, rest)).toMatchObject({ texts: ['three'], hasMore: false })
})
