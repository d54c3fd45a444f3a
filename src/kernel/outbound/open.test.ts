import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { code, outboundTo, reach, readText, redirectTo, serve } from './outbound.fixture.ts'

/** The reply of the server, which the test writes. */
function steeredReply() {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  return { reply: promise, answer: (_: unknown, reply: ServerResponse) => resolve(reply) }
}

test('a body is streamed while the server still writes it', async () => {
  const { reply, answer } = steeredReply()
  const { origin, outbound } = await reach(answer)
  const opening = outbound.open(`${origin}/a`, { method: 'post', body: 'words' })
  const server = await reply
  server.writeHead(201, { 'content-type': 'text/plain' }).write('one')
  const { status, url, headers, body } = await opening
  const chunks = body[Symbol.asyncIterator]()

  expect({ status, url }).toEqual({ status: 201, url: `${origin}/a` })
  expect(headers['content-type']).toBe('text/plain')
  expect(String((await chunks.next()).value)).toBe('one')
  server.end('two')
  expect(String((await chunks.next()).value)).toBe('two')
  expect((await chunks.next()).done).toBe(true)
})

test.each([301, 302, 303, 307, 308])('a redirect is refused: %i', async (status) => {
  let calls = 0
  const { origin, outbound } = await reach((request, reply) => {
    calls += 1
    redirectTo('/other', status)(request, reply)
  })

  await expect(outbound.open(origin)).rejects.toEqual(code('outbound_redirects'))
  expect(calls).toBe(1)
})

test('the size limit applies to the unpacked body, and closes the connection', async () => {
  const { reply, answer } = steeredReply()
  const { origin, outbound } = await reach(answer)
  const opening = outbound.open(origin, { maxBytes: 1_000 })
  const server = await reply
  server.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(Buffer.alloc(10_000_000)))
  const { body } = await opening

  await expect(readText(body)).rejects.toEqual(code('outbound_too_large'))
  await once(server, 'close')
})

test('a silent body is ended, and time between reads is not silence', async () => {
  const host = manualClockHost()
  const { reply, answer } = steeredReply()
  const { origin, outbound } = await reach(answer, { host })
  const opening = outbound.open(origin, { idleMs: 1_000, timeoutMs: 60_000 })
  const server = await reply
  server.writeHead(200).write('one')
  const chunks = (await opening).body[Symbol.asyncIterator]()
  await chunks.next()
  host.advance(5_000)
  await expect.poll(() => host.sleeps().includes(1_000)).toBe(true)
  server.write('two')
  expect(String((await chunks.next()).value)).toBe('two')

  const silent = chunks.next()
  host.advance(1_000)
  await expect.poll(() => host.sleeps().includes(0)).toBe(false)
  host.advance(1_000)
  await expect(silent).rejects.toEqual(code('outbound_timeout'))
  await once(server, 'close')
  expect(host.sleeps()).toEqual([])
})

test('the deadline covers the body, even if it is never read', async () => {
  const host = manualClockHost()
  const { reply, answer } = steeredReply()
  const { origin, outbound } = await reach(answer, { host })
  const opening = outbound.open(origin, { timeoutMs: 1_000 })
  const server = await reply
  server.writeHead(200).write('one')
  const { body } = await opening
  host.advance(1_000)

  await once(server, 'close')
  await expect(readText(body)).rejects.toEqual(code('outbound_timeout'))
  expect(host.sleeps()).toEqual([])
})

test.each(['headers', 'body'])('an abort during the %s closes the connection', async (phase) => {
  const { reply, answer } = steeredReply()
  const { origin, outbound } = await reach(answer)
  const leaving = new AbortController()
  const reading = outbound
    .open(origin, { signal: leaving.signal })
    .then(({ body }) => readText(body))
  reading.catch(() => {})
  const server = await reply
  if (phase === 'body') server.writeHead(200).write('one')
  leaving.abort(new Error('enough'))

  await expect(reading).rejects.toThrow('enough')
  await once(server, 'close')
})

test('a reader that leaves early closes the connection', async () => {
  const { reply, answer } = steeredReply()
  const { origin, outbound } = await reach(answer)
  const opening = outbound.open(origin)
  const server = await reply
  server.writeHead(200).write('one')
  for await (const _ of (await opening).body) break

  await once(server, 'close')
})

test.each([
  ['a lost connection', {}],
  ['a length that is too long', { 'content-length': '100' }],
  ['a packing that it does not have', { 'content-encoding': 'gzip' }],
])('a body with %s is unavailable', async (_, headers) => {
  const { reply, answer } = steeredReply()
  const { origin, outbound } = await reach(answer)
  const opening = outbound.open(`${origin}/?key=secret`)
  const server = await reply
  server.writeHead(200, headers).write('words')
  const { body } = await opening
  setImmediate(() => server.destroy())

  const error = await readText(body).catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'outbound_unavailable', details: { origin } })
  expect(JSON.stringify(error)).not.toContain('secret')
})

test('failures do not open the circuit breaker of the origin', async () => {
  const { origin, outbound } = await reach((_, reply) => reply.writeHead(500).end('down'))
  for (let call = 0; call < 10; call++) {
    const { status, body } = await outbound.open(origin)
    expect([status, await readText(body)]).toEqual([500, 'down'])
  }
  expect((await outbound.fetch(origin)).status).toBe(500)
})

test('the type of a successful reply is checked before its body is read', async () => {
  const { origin, outbound } = await reach((_, reply) =>
    reply.setHeader('content-type', 'text/html').end('page'),
  )

  const opening = outbound.open(origin, { accept: ['application/json'] })
  await expect(opening).rejects.toEqual(code('outbound_type'))
})

test('a loopback origin is trusted for one call, and no other address with it', async () => {
  const origin = await serve((_, reply) => reply.end('local'))
  const { port } = new URL(origin)
  const outbound = outboundTo([], { lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  const open = async (url: string, loopbackOrigin: string) =>
    readText((await outbound.open(url, { loopbackOrigin })).body)

  expect(await open(`${origin}/x`, origin)).toBe('local')
  const localhost = `http://localhost:${port}`
  expect(await open(`${localhost}/x`, localhost)).toBe('local')
  const refused = [
    [origin, 'http://127.0.0.1:1'],
    [localhost, origin],
    ...[
      `http://named.example:${port}`,
      `http://app.localhost:${port}`,
      'http://10.0.0.1',
      'http://169.254.169.254',
      'http://0.0.0.0',
    ].map((url) => [url, url]),
  ] as [string, string][]
  for (const [url, trusted] of refused)
    await expect(open(url, trusted)).rejects.toEqual(code('outbound_address'))
  await expect(outbound.open(origin)).rejects.toEqual(code('outbound_address'))
})

test('localhost that resolves to another machine is refused', async () => {
  const url = 'http://localhost:1'
  const outbound = outboundTo([], { lookup: async () => [{ address: '8.8.8.8', family: 4 }] })

  await expect(outbound.open(url, { loopbackOrigin: url })).rejects.toEqual(
    code('outbound_address'),
  )
})
