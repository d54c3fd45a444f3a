import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { followStream } from '../support/follow-stream.ts'
import { type Ask, startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

await service.ask('POST /api/agents', { body: { name: 'shy', read_policy: 'isolated' } })
await service.ask('POST /api/agents', { body: { name: 'ada', read_policy: 'shared' } })
await service.ask('POST /api/agents', { body: { name: 'bob', read_policy: 'shared' } })

const remember = async (content: string, more: object = {}, ask: Ask = {}) => {
  const body = { content, ...more }
  const reply = await service.ask('POST /api/memory/remember', { agent: 'ada', body, ...ask })
  return String(reply.body['id'])
}
const follow = async (query = '', ask: Ask = {}) => {
  const stream = await followStream(service, `/api/events?${query}`, ask)
  expect(await stream.next()).toMatchObject({ type: 'connected' })
  return stream
}

test('a change of a memory is an event with ids and without content', async () => {
  const stream = await follow()
  const id = await remember('The heron nests in the sallow')
  const saved = await stream.nextOf('memory.saved')
  await service.ask(`DELETE /api/memory/${id}?reason=test`, { agent: 'ada' })
  const forgotten = await stream.nextOf('memory.forgotten')

  expect(saved).toEqual({
    type: 'memory.saved',
    agentId: 'ada',
    id,
    timestamp: expect.stringMatching(/Z$/),
  })
  expect(forgotten).toMatchObject({ agentId: 'ada', id })
})

test('a stream has the requested types only', async () => {
  const stream = await follow('types=session.*,skill.invoked')
  await remember('The bittern booms at dusk')
  const body = { harness: 'mine', sessionKey: 'agent:ada:quiet-walk', runtimePath: 'plugin' }
  await service.ask('POST /api/hooks/session-start', { agent: 'ada', body })
  const started = await stream.next()

  expect(started).toMatchObject({ type: 'session.started', agentId: 'ada', harness: 'mine' })
  expect(JSON.stringify(started)).not.toContain('quiet-walk')
})

test('a type that no event has is refused with the known ones', async () => {
  for (const types of ['memory.save', 'session.*,memories.*', '*', 'prompt.submitted']) {
    const { status, body } = await service.ask(`GET /api/events?types=${types}`)
    expect([types, status, body['code']]).toEqual([types, 400, 'invalid_request'])
    expect(body['error']).toContain('memory.saved')
  }
})

test('an isolated agent, a private row, a project and a namespace stay closed', async () => {
  const [isolated, other, scoped, named] = await Promise.all([
    follow('types=memory.*', { agent: 'shy', scope: { agent: 'shy' } }),
    follow('types=memory.*', { agent: 'bob' }),
    follow('types=memory.*', { agent: 'bob', scope: { project: 'alpha' } }),
    follow('types=memory.*&scope=den', { agent: 'ada' }),
  ])
  await remember('The crake hides', { visibility: 'private' })
  const inNamespace = await remember('The otter sleeps', { scope: 'den' })
  const open = await remember('The swan flies')
  const ofProject = await remember('The grebe dives', { project: 'alpha' })
  const own = await remember('The shrew waits', {}, { agent: 'shy' })

  expect(await isolated.next()).toMatchObject({ agentId: 'shy', id: own })
  expect(await other.next()).toMatchObject({ id: open })
  expect(await scoped.next()).toMatchObject({ id: ofProject })
  expect(await named.next()).toMatchObject({ id: inNamespace })
})

test('a client resumes after the last event, and learns of a gap', async () => {
  const stream = await follow('types=memory.*')
  const first = await remember('The first lark')
  expect(await stream.next()).toMatchObject({ id: first })
  const lastId = stream.lastId()
  stream.end()
  const second = await remember('The second lark')

  const again = await follow('types=memory.*', { headers: { 'last-event-id': lastId } })
  expect(await again.next()).toMatchObject({ id: second })
  const unknown = await follow('types=memory.*', { headers: { 'last-event-id': 'x-1' } })
  expect(await unknown.next()).toEqual({ type: 'gap' })
})

test('a message is an event for its sender and its addressees', async () => {
  const [addressee, isolated] = await Promise.all([
    follow('types=message.*', { agent: 'bob' }),
    follow('types=message.*', { agent: 'shy' }),
  ])
  const send = async (body: object) => {
    const message = { content: 'of the marsh', ...body }
    const reply = await service.ask('POST /api/cross-agent/messages', {
      agent: 'ada',
      body: message,
    })
    return Object(reply.body['message']).id
  }
  const direct = await send({ toAgentId: 'bob' })
  const later = await send({ toAgentId: 'shy' })

  const seen = await addressee.next()
  expect(seen).toMatchObject({ type: 'message.sent', agentId: 'ada', id: direct })
  expect(JSON.stringify(seen)).not.toContain('marsh')
  expect(await isolated.next()).toMatchObject({ id: later })
})

test('changes of plugins are events for administrators', async () => {
  const types = 'types=plugin.*,document.changed'
  const [admin, agent] = await Promise.all([follow(types, { role: 'admin' }), follow(types)])
  const setEnabled = (enabled: boolean) =>
    service.ask('PATCH /api/plugins/svc.secrets', { role: 'admin', body: { enabled } })
  await setEnabled(false)
  await setEnabled(true)
  const body = { source_type: 'text', content: 'Reed is cut in winter.', title: 'Reed' }
  const added = await service.ask('POST /api/documents', { agent: 'ada', body })
  expect(added.status).toBe(201)

  const seen = [await admin.next(), await admin.next()]
  expect(seen).toMatchObject([
    { type: 'plugin.disabled', pluginId: 'svc.secrets' },
    { type: 'plugin.enabled' },
  ])
  expect(await agent.next()).toMatchObject({ type: 'document.changed', status: 'queued' })
})

test('a credential in a memory is in no event, file, table or log', async () => {
  const stream = await follow('types=memory.*')
  const key = ['ghp', 'bC2dE4fG6hJ8kL1mN3pQ5rS7tU9vW0xY2zA4'].join('_')
  const id = await remember(`The teal ${randomUUID()} hides ${key}`)
  let saved = await stream.next()
  // An earlier test may still save the chunks of its document.
  while (saved['id'] !== id) saved = await stream.next()

  await expectNoLeak(service, [key], [JSON.stringify(saved)])
})

test('a caller has at most eight streams, and closing one frees its place', async () => {
  const as = { agent: 'bob', role: 'agent' } as const
  const open = async () => followStream(service, '/api/events', as)
  const streams = await Promise.all(Array.from({ length: 8 }, open))
  const own = streams.filter(({ status }) => status === 200)
  const refused = await followStream(service, '/api/logs/stream', { ...as, role: 'operator' })

  expect(refused.status).toBe(429)
  for (const { end } of own) end()
  await expect.poll(async () => (await open()).status, { timeout: 5_000 }).toBe(200)
})
