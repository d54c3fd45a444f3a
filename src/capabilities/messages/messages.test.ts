import { expect, vi } from 'vitest'
import { retryMessage } from './deliver.ts'
import { acknowledge, listInbox } from './inbox.ts'
import {
  ada,
  bob,
  messagesNeeds,
  onEachEngine,
  send,
  shy,
  startAcpService,
} from './messages.fixture.ts'
import type { MessagesNeeds } from './needs.ts'
import { listQuery } from './schemas.ts'
import {
  countMessages,
  deleteAgentRows,
  deleteExpired,
  expireLeases,
  leaseMessage,
} from './store.ts'

async function inbox(needs: MessagesNeeds, caller: typeof ada, query: object = {}) {
  const list = await listInbox(needs, caller, listQuery.parse(query))
  return { ...list, texts: list.items.map(({ content }) => content) }
}

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

onEachEngine('a message for another service is posted to its runs', async (db) => {
  const replies = { status: 202 as number | 'silence' }
  const service = await startAcpService(() => replies.status)
  const { needs, host } = await messagesNeeds(db, [service.url])
  const acp = { baseUrl: `${service.url}/`, targetAgentName: 'helper', metadata: { team: 'blue' } }

  const { message } = await send(needs, ada, { content: 'remote', acp })

  expect(message).toMatchObject({ deliveryState: 'delivered', deliveryReceipt: 'run-1' })
  expect(service.requests).toEqual([
    {
      path: '/runs',
      body: {
        agent_name: 'helper',
        input: [{ role: 'user', parts: [{ content_type: 'text/plain', content: 'remote' }] }],
        mode: 'async',
        metadata: { team: 'blue' },
      },
    },
  ])
  await expect(retryMessage(needs, ada, message.id)).rejects.toMatchObject({
    code: 'message_not_retryable',
  })

  replies.status = 'silence'
  const pending = send(needs, ada, { acp: { ...acp, timeoutMs: 2_000 } })
  await vi.waitFor(() => expect(service.requests).toHaveLength(2))
  host.advance(2_000)
  const silent = (await pending).message
  expect(silent).toMatchObject({ deliveryState: 'indeterminate', deliveryAttempts: 1 })
  replies.status = 500
  expect(await retryMessage(needs, ada, silent.id)).toMatchObject({
    deliveryState: 'failed',
    deliveryError: 'The service replied with status 500.',
    deliveryAttempts: 2,
  })
  await retryMessage(needs, ada, silent.id)
  await expect(retryMessage(needs, ada, silent.id)).rejects.toThrow('3 attempts were made')
})

onEachEngine(
  'one daemon delivers a message at a time, and a lost lease is indeterminate',
  async (db) => {
    const origin = 'http://127.0.0.1:9'
    const { needs, host } = await messagesNeeds(db, [origin])
    const { message } = await send(needs, ada, { acp: { baseUrl: origin, targetAgentName: 'x' } })
    expect(message).toMatchObject({ deliveryState: 'failed' })
    const now = host.now().toISOString()
    const lease = { id: message.id, now, leaseUntil: `${now}+`, maxAttempts: 3 }

    expect(await leaseMessage(db, lease)).toBe(true)
    expect(await leaseMessage(db, lease)).toBe(false)
    await expect(retryMessage(needs, ada, message.id)).rejects.toMatchObject({
      code: 'message_not_retryable',
    })
    host.advance(1000)
    await expireLeases(db, host.now().toISOString())
    const { items } = await inbox(needs, ada, { include_sent: true })
    expect(items).toMatchObject([{ deliveryState: 'indeterminate' }])
  },
)
