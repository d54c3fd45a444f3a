import { once } from 'node:events'
import { get, type IncomingMessage, METHODS, request } from 'node:http'
import { createConnection } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createAuthenticate } from '../auth/authenticate.ts'
import { createRateLimits } from '../auth/rate-buckets.ts'
import { Refusal } from '../errors/refusal.ts'
import { createLog } from '../log/log.ts'
import { fixedHost } from '../testing/fixed-host.ts'
import { serve } from '../testing/serve.ts'
import { type Route, route } from './route.ts'
import { body, echo, post, routes } from './routes.fixture.ts'

test.each([
  ['GET', '/nowhere', 404, null],
  ['GET', '/things', 404, null],
  ['PUT', '/things/1', 405, 'DELETE, GET, HEAD'],
  ['PUT', '/%74hings/1', 405, 'DELETE, GET, HEAD'],
  ['OPTIONS', '/openapi.json', 405, 'GET, HEAD'],
  ['GET', '/also/echo?x=1', 405, 'POST'],
  ['HEAD', '/things/1', 202, null],
  ['GET', `/things/${'x'.repeat(1024)}`, 202, null],
  ['GET', `/things/${'x'.repeat(1025)}`, 404, null],
  ['GET', '/things/%', 400, null],
])('%s %s returns %d as JSON', async (method, path, status, allow) => {
  const url = await serve(routes)

  const reply = await fetch(url + path, { method })

  expect(reply.status).toBe(status)
  expect(reply.headers.get('allow')).toBe(allow)
  expect(reply.headers.get('content-type')).toContain('application/json')
})

test.each(METHODS.filter((method) => method !== 'CONNECT' && method !== 'HEAD'))(
  '%s replies the same with any body or none',
  async (method) => {
    const url = await serve(routes)
    const bodies = [{ body: '' }, { type: 'application/json', body: '{' }]

    for (const { type, body } of [...bodies, { type: 'text/plain', body: 'x' }]) {
      const headers = { 'content-length': body.length, ...(type && { 'content-type': type }) }
      const send = async (path: string) => {
        const [reply] = await once(request(url + path, { method, headers }).end(body), 'response')
        reply.resume()
        return [reply.statusCode, reply.headers.allow]
      }
      expect(await send('/nowhere')).toEqual([404, undefined])
      if (method !== 'POST') expect(await send('/echo')).toEqual([405, 'POST'])
    }
  },
)

test('every reply forbids sniffing and caching and includes the headers of its operation', async () => {
  const url = await serve(routes)

  const { headers } = await fetch(`${url}/things/1`)

  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-mark')).toBe('yes')
})

test.each([
  ['mine', 'mine'],
  ['x'.repeat(129), 'id-1'],
  ['', 'id-1'],
  ['caf\u00e9', 'id-1'],
])('the request id %s is echoed as %s', async (given, echoed) => {
  const url = await serve(routes)

  const reply = await fetch(`${url}/things/1`, { headers: { 'x-svc-request-id': given } })

  expect(reply.headers.get('x-svc-request-id')).toBe(echoed)
})

test.each([
  ['/things/1', { host: 'pages.example' }, 'foreign_host'],
  ['/nowhere', { host: 'pages.example' }, 'foreign_host'],
  ['/openapi.json', { host: '127.0.0.1.pages.example' }, 'foreign_host'],
  ['/things/1', { origin: 'null' }, 'foreign_origin'],
  ['/nowhere', { origin: 'http://pages.example' }, 'foreign_origin'],
  ['/things/1', { host: 'memory.example:8080', origin: 'http://localhost:1' }, undefined],
  ['/things/1', { host: '[::1]:3850' }, undefined],
  ['/things/1', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }, 'foreign_origin'],
  ['/things/1', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }, 'foreign_origin'],
  ['/things/1', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, undefined],
  ['/things/1', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' }, undefined],
  ['/things/1', { origin: 'http://localhost:1', 'sec-fetch-site': 'cross-site' }, undefined],
])('%s with %j is refused: %s', async (path, headers, code) => {
  const url = await serve(routes, { allowedHosts: ['Memory.example'] })
  const [reply] = (await once(get(url + path, { headers }), 'response')) as [IncomingMessage]

  expect(reply.statusCode === 403).toBe(code !== undefined)
  expect(await json(reply)).toMatchObject(code ? { code } : { id: '1' })
})

test.each([
  ['GET /things/1', ['host: evil@localhost'], 'invalid_host'],
  ['GET /things/1', ['host: localhost@pages.example'], 'invalid_host'],
  ['GET /things/1', ['host: localhost/evil'], 'invalid_host'],
  ['GET /things/1', ['host: localhost?evil'], 'invalid_host'],
  ['GET /things/1', ['host: localhost#evil'], 'invalid_host'],
  ['GET /things/1', ['host: localhost evil'], 'invalid_host'],
  ['GET /things/1', ['host: localhost:1x'], 'invalid_host'],
  ['GET /things/1', ['host: localhost:99999'], 'invalid_host'],
  ['GET /things/1', ['host: localhost:65536'], 'invalid_host'],
  ['GET /things/1', ['host: localhost:65535'], undefined],
  ['GET https://localhost/things/1', ['host: localhost'], 'invalid_target'],
  ['GET /things/1#x', ['host: localhost'], 'invalid_target'],
  ['GET http://localhost/things/1#x', ['host: localhost'], 'invalid_path'],
  ['GET /things/1', ['host: [localhost]'], 'invalid_host'],
  ['GET /things/1', ['host: '], 'invalid_host'],
  ['GET /things/1', ['host: localhost', 'Host: localhost'], 'invalid_host'],
  ['GET /things/1', ['host: localhost', 'HOST: pages.example'], 'invalid_host'],
  ['GET http://pages.example/things/1', ['host: localhost'], 'invalid_target'],
  ['GET http://evil@localhost/things/1', ['host: localhost'], 'invalid_target'],
  ['GET http://localhost:1/things/1', ['host: localhost:2'], 'invalid_target'],
  ['GET ftp://localhost/things/1', ['host: localhost'], 'invalid_target'],
  ['GET http://pages.example/things/1', ['host: pages.example'], 'foreign_host'],
  ['PUT http://localhost/things/1', ['host: localhost'], 'method_not_allowed'],
  ['GET HTTP://LOCALHOST:1/things/1', ['host: localhost:1'], undefined],
  ['GET /things/1', ['host: LOCALHOST:3850'], undefined],
  ['GET /things/1', ['host: 127.0.0.1'], undefined],
  ['GET /things/1', ['host: [::1]'], undefined],
])('%s with %j is refused: %s', async (start, headers, code) => {
  const url = await serve(routes)

  const answer = await sendRaw(url, [`${start} HTTP/1.1`, ...headers, 'connection: close'])

  expect(answer).toContain(code ? `"code":"${code}"` : '{"id":"1"}')
  expect(answer.startsWith('HTTP/1.1 400')).toBe(code?.startsWith('invalid') === true)
})

test('counts permitted calls and refuses further ones with a retry time', async () => {
  const host = fixedHost()
  const countCall = createRateLimits(host, { login: { max: 1, windowMs: 1500 } })
  const url = await serve([{ ...echo, limit: 'login' }], { host, countCall })
  await post(`${url}/echo`, '{}')

  const reply = await post(`${url}/echo`, '{}')

  expect(reply.status).toBe(429)
  expect(reply.headers.get('retry-after')).toBe('2')
  expect(await reply.json()).toMatchObject({
    error: 'rate limit exceeded',
    retryAfter: host.now().getTime() + 1500,
  })
})

test('the rate buckets may depend on the body', async () => {
  const host = fixedHost()
  const countCall = createRateLimits(host, { forceDelete: { max: 0 } })
  const forced = route({
    name: 'test.force',
    method: 'POST',
    path: '/force',
    permission: 'forget',
    body,
    limit: ({ body }) => (body.word === 'force' ? ['forget', 'forceDelete'] : ['forget']),
    handle: async () => ({}),
  })
  const url = await serve([forced], { host, countCall })

  expect((await post(`${url}/force`, '{}')).status).toBe(200)
  expect((await post(`${url}/force`, '{"word":"force"}')).status).toBe(429)
})

test('the body precondition runs before validation', async () => {
  const bodyPrecondition: Route['bodyPrecondition'] = ({ body }) => {
    if (Object(body).word === 7) throw new Refusal('unavailable', 'mutations_frozen', 'closed')
  }
  const url = await serve([{ ...echo, bodyPrecondition }])

  expect((await post(`${url}/echo`, '{"word":"open"}')).status).toBe(200)
  expect(await (await post(`${url}/echo`, '{"word":7}')).json()).toMatchObject({
    code: 'mutations_frozen',
  })
})

test('an open operation needs no credential; any other needs one', async () => {
  const host = fixedHost()
  const endpoint = { method: 'GET', handle: async () => ({}) } as const
  const url = await serve(
    [
      route({ ...endpoint, name: 'test.open', path: '/open', permission: 'open' }),
      route({ ...endpoint, name: 'test.proven', path: '/proven', permission: 'authenticated' }),
      echo,
    ],
    { authenticate: createAuthenticate({ mode: 'team', secret: Buffer.alloc(32), host }), host },
  )

  expect((await fetch(`${url}/open`)).status).toBe(200)
  const reply = await fetch(`${url}/proven`)
  expect(reply.status).toBe(401)
  expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  expect((await post(`${url}/echo`, '{')).status).toBe(401)
})

test('the reference page loads nothing from other hosts', async () => {
  const url = await serve(routes)

  const page = await fetch(`${url}/reference`)

  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).not.toMatch(/https?:/)
  expect((await fetch(`${url}/reference/page.js`)).status).toBe(200)
  expect((await fetch(`${url}/reference/style.css`)).status).toBe(200)
})

test('aborts the signal of an operation when its client disconnects', async () => {
  const called = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const waiting = route({
    name: 'wait',
    method: 'GET',
    path: '/wait',
    permission: 'open',
    handle: async ({ signal }) => {
      signal.addEventListener('abort', () => left.resolve())
      called.resolve()
      await left.promise
      return {}
    },
  })
  const url = await serve([waiting])
  const leaving = new AbortController()

  const reply = fetch(`${url}/wait`, { signal: leaving.signal })
  await called.promise
  leaving.abort()

  await expect(reply).rejects.toThrow()
  await left.promise
})

test('a client that disconnects during its body is logged without an error', async () => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => lines.push(line) })
  const url = await serve(routes, { log })

  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  const head = 'POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json'
  socket.write(`${head}\r\ncontent-length: 100\r\n\r\n{"word":`)
  await once(socket, 'ready')
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.resetAndDestroy()

  await expect.poll(() => lines.join('')).toContain('request aborted by the client')
  expect(lines.join('')).not.toMatch(/fault|stack/)
})

test.each([
  ['/echo', 405, 'POST'],
  ['/nowhere', 404, undefined],
  ['pages.example:443', 400, undefined],
])('CONNECT %s is refused with %d and ends the connection', async (path, status, allow) => {
  const url = await serve(routes)

  const reply = await sendRaw(url, [`CONNECT ${path} HTTP/1.1`, 'host: localhost'])

  const [head = '', body = ''] = reply.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(/^allow: (?<methods>.*)$/im.exec(head)?.groups?.['methods']).toBe(allow)
  expect(JSON.parse(body)).toHaveProperty('error')
  expect(head.toLowerCase()).toContain('connection: close')
})

/** Sends raw request lines that no HTTP client would send and returns the reply. */
async function sendRaw(url: string, lines: readonly string[]): Promise<string> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  return await text(socket)
}
