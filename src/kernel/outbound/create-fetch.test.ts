import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createFetch } from './create-fetch.ts'
import { code, outboundTo, reach, redirectTo, serve } from './outbound.fixture.ts'

interface Echo {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const readEcho = async (response: Response) => (await response.json()) as Echo

const echo: RequestListener = async (request, reply) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method, headers } = request
  reply
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ method, headers, body: Buffer.concat(chunks).toString() }))
}

async function fetchTo(answer: RequestListener) {
  const { origin, outbound } = await reach(answer)
  return { origin, fetch: createFetch({ outbound, origin }) }
}

test.each([
  ['a text', { body: 'words' }, 'words'],
  ['bytes', { body: new TextEncoder().encode('words') }, 'words'],
  ['a form', { body: new URLSearchParams({ a: 'b' }) }, 'a=b'],
  ['a stream', { body: new Blob(['words']).stream() }, 'words'],
])('%s is sent as the body', async (_, init, body) => {
  const { origin, fetch } = await fetchTo(echo)
  const response = await fetch(origin, { method: 'POST', headers: { 'X-Own': 'y' }, ...init })

  expect(response).toMatchObject({ ok: true, status: 200, url: `${origin}/` })
  expect(await response.json()).toMatchObject({ method: 'POST', body, headers: { 'x-own': 'y' } })
})

test('a request object is sent, with the changes of the second argument', async () => {
  const { origin, fetch } = await fetchTo(echo)
  const request = new Request(origin, { method: 'POST', body: 'words', headers: { a: '1' } })
  const response = await fetch(request, { headers: { b: '2' } })
  const { method, headers, body } = await readEcho(response)

  expect({ method, body, a: headers['a'], b: headers['b'] }).toEqual({
    method: 'POST',
    body: 'words',
    a: undefined,
    b: '2',
  })
})

test('the body is unpacked, and its headers describe the unpacked one', async () => {
  const { origin, fetch } = await fetchTo((_, reply) =>
    reply.setHeader('content-encoding', 'gzip').end(gzipSync('words')),
  )
  const response = await fetch(new URL(origin))

  expect(await response.text()).toBe('words')
  expect([...response.headers.keys()]).not.toContain('content-encoding')
  expect([...response.headers.keys()]).not.toContain('content-length')
})

test.each([204, 404, 500])('the status %i is a reply', async (status) => {
  const { origin, fetch } = await fetchTo((_, reply) => reply.writeHead(status).end())
  const response = await fetch(origin)

  expect([response.status, await response.text()]).toEqual([status, ''])
})

test('an invalid status and an invalid header are no fault', async () => {
  const { origin, fetch } = await fetchTo((request, { socket }) => {
    const status = request.url === '/odd' ? '999 Odd' : '200 OK'
    socket?.end(`HTTP/1.1 ${status}\r\nx-odd: \u20ac\r\nx-own: y\r\ncontent-length: 0\r\n\r\n`)
  })

  await expect(fetch(`${origin}/odd`)).rejects.toEqual(code('outbound_unavailable'))
  expect((await fetch(origin)).headers.get('x-own')).toBe('y')
})

test('a redirect is refused in every mode', async () => {
  const { origin, fetch } = await fetchTo(redirectTo('/next'))

  for (const redirect of ['follow', 'manual', 'error'] as const)
    await expect(fetch(origin, { redirect })).rejects.toEqual(code('outbound_redirects'))
})

test('credentials are sent to the own origin only', async () => {
  const [own, other] = [await serve(echo), await serve(echo)]
  const fetch = createFetch({ outbound: outboundTo([own, other]), origin: own })
  const headers = { authorization: 'Bearer x', 'x-api-key': 'k', cookie: 'a=b', 'user-agent': 'me' }
  const seenBy = async (url: string) => (await readEcho(await fetch(url, { headers }))).headers

  expect(await seenBy(own)).toMatchObject(headers)
  const seen = await seenBy(other)
  expect(seen['user-agent']).toBe('me')
  expect(Object.keys(seen).filter((name) => /authorization|key|cookie/.test(name))).toEqual([])
})

test('an abort rejects with its reason, before the reply and within the body', async () => {
  const { origin, fetch } = await fetchTo((request, reply) => {
    if (request.url === '/body') reply.write('one')
  })
  const before = AbortSignal.abort(new Error('before'))
  await expect(fetch(origin, { signal: before })).rejects.toThrow('before')
  const leaving = new AbortController()
  const response = await fetch(`${origin}/body`, { signal: leaving.signal })
  leaving.abort(new Error('within'))

  await expect(response.text()).rejects.toThrow('within')
})

test('a cancelled body closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const { origin, fetch } = await fetchTo((_, reply) => {
    reply.on('close', closed.resolve).write('one')
  })
  const { body } = await fetch(origin)
  await body?.cancel()

  await closed.promise
})

test('limits apply to each call, and loopback is trusted only where it is allowed', async () => {
  const origin = await serve((_, reply) => reply.end('words'))
  const outbound = outboundTo([])
  const local = createFetch({ outbound, origin, allowLoopback: true, maxBytes: 4 })

  await expect((await local(origin)).text()).rejects.toEqual(code('outbound_too_large'))
  await expect(local('http://127.0.0.1:1/')).rejects.toEqual(code('outbound_address'))
  await expect(createFetch({ outbound, origin })(origin)).rejects.toEqual(code('outbound_address'))
})
