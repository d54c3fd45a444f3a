import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService({ engine: 'sqlite', mode: 'local' })
afterAll(() => service.stop())

const url = `${service.url}/mcp`
const json = 'application/json'
const events = 'text/event-stream'
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const post = (body: unknown, accept = `${json}, ${events}`, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { accept, 'content-type': json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('POST /mcp', () => {
  test('replies in JSON to a client that accepts JSON, without a session', async () => {
    for (const accept of [json, '*/*', `${json}, ${events}`]) {
      const reply = await post(list, accept)

      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toMatch(json)
      expect(reply.headers.get('mcp-session-id')).toBeNull()
      expect(await reply.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } })
    }
  })

  test('replies in events to a client that accepts only events', async () => {
    const reply = await post(list, events)

    expect(reply.headers.get('content-type')).toMatch(events)
    expect(await reply.text()).toMatch(/^event: message\ndata: \{.*"tools"/m)
  })

  test('answers a batch, and sends no body for a notification', async () => {
    const replies = await (await post([list, { ...list, id: 2 }])).json()
    const reply = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })

    expect(replies).toMatchObject([{ id: 1 }, { id: 2 }])
    expect([reply.status, await reply.text()]).toEqual([202, ''])
  })

  test('negotiates the protocol version of the client', async () => {
    const params = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    }
    const reply = await (await post({ ...list, method: 'initialize', params })).json()

    expect(reply).toMatchObject({
      result: { protocolVersion: '2025-03-26', serverInfo: { name: 'reverie' } },
    })
  })

  test.each([
    ['no JSON', '{', json, 400, -32_700],
    ['nothing', '', json, 400, -32_700],
    ['no message', '{"a": 1}', json, 400, -32_600],
    ['too much', JSON.stringify({ ...list, padding: 'x'.repeat(512 * 1024) }), json, 413, -32_000],
    ['what is taken in neither form', JSON.stringify(list), 'text/html', 406, -32_000],
  ])('refuses %s', async (_, body, accept, status, code) => {
    const reply = await post(body, accept)

    expect(reply.status).toBe(status)
    expect(await reply.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
  })

  test('refuses pages of other origins under any name', async () => {
    const foreign = { origin: 'https://evil.example' }
    expect(await post(list, json, foreign)).toMatchObject({ status: 403 })

    const rebound = request(url, {
      method: 'POST',
      headers: { host: 'evil.example', 'content-type': json },
    })
    const status = await new Promise((resolve) => {
      rebound.on('response', (reply) => void text(reply).then(() => resolve(reply.statusCode)))
      rebound.end(JSON.stringify(list))
    })
    expect(status).toBe(403)
  })

  test('serves eight requests at a time and refuses more with a retry hint', async () => {
    const many = Array.from({ length: 40 }, () => post([list, { ...list, id: 2 }], json))
    const statuses = (await Promise.all(many)).map(({ status }) => status)

    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true)
    expect(statuses).toContain(200)
    expect(await post(list)).toMatchObject({ status: 200 })
  })

  test.each([
    ['address', '?agent_id=zoe&harness=mine&workspace=w&channel=c', {}],
    ['session', '', { 'x-svc-session-key': 'agent:zoe:main' }],
    ['header', '', { 'x-svc-agent-id': 'zoe' }],
  ])('the %s may name the agent', async (named, query, headers) => {
    const content = `said by the ${named}`
    const call = {
      ...list,
      method: 'tools/call',
      params: { name: 'memory_store', arguments: { content } },
    }
    await fetch(`${url}${query}`, {
      method: 'POST',
      headers: { 'content-type': json, ...headers },
      body: JSON.stringify(call),
    })

    const { body } = await service.ask('GET /api/memories', { agent: 'zoe' })
    expect(JSON.stringify(body)).toContain(content)
  })
})

test('the session of the connection applies to every call', async () => {
  const headers = { 'x-svc-session-key': 'agent:zoe:desk' }
  const call = async (name: string, input: object) => {
    const params = { name, arguments: input }
    const reply = await post({ ...list, method: 'tools/call', params }, json, headers)
    const { result } = (await reply.json()) as { result: { content: { text: string }[] } }
    return result.content.map(({ text }) => text).join()
  }
  await call('memory_store', { content: 'the ink is in the drawer' })
  const search = () => call('memory_search', { query: 'ink drawer', scope: 'session' })

  expect(await search()).toContain('the ink is in the drawer')
  expect(await search()).toContain('1 were shown in this session before')
})

test('GET /mcp is a stream that lasts until the client leaves', async () => {
  const leaving = new AbortController()
  const reply = await fetch(url, { headers: { accept: events }, signal: leaving.signal })

  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(events)
  leaving.abort()
  expect((await fetch(url, { headers: { accept: json } })).status).toBe(406)
})

test('DELETE /mcp has no effect and says so; other methods do not exist', async () => {
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(200)
  expect((await fetch(url, { method: 'PUT' })).status).toBe(405)
})
