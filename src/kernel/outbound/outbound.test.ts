import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { outboundSettings } from './config.ts'
import { code, outboundTo, reach, serve } from './outbound.fixture.ts'

test('calls an allowed origin at any address, but not its other ports', async () => {
  const { origin, outbound } = await reach((request, reply) => {
    reply.writeHead(201, { 'content-type': 'text/plain' })
    request.pipe(reply)
  })
  const reply = await outbound.fetch(`${origin}/a`, { method: 'post', body: 'words' })

  expect(reply).toMatchObject({ status: 201, url: `${origin}/a`, body: Buffer.from('words') })
  expect(reply.headers['content-type']).toBe('text/plain')
  await expect(outbound.fetch('http://127.0.0.1:1/')).rejects.toEqual(code('outbound_address'))
})

test('refuses a name that resolves to this machine when connecting', async () => {
  let calls = 0
  const origin = await serve((_, reply) => reply.end(`${++calls}`))
  const { port } = new URL(origin)
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const outbound = outboundTo([origin], { lookup })

  await expect(outbound.fetch(`http://rebound.example.com:${port}/`)).rejects.toEqual(
    code('outbound_address'),
  )
  expect(calls).toBe(0)
})

test('the name of an allowed origin may resolve to this machine', async () => {
  const { port } = new URL(await serve((_, reply) => reply.end('here')))
  const named = `http://models.example.com:${port}`
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]

  expect((await outboundTo([named], { lookup }).fetch(named)).body.toString()).toBe('here')
})

test('callers cannot set headers of the connection', async () => {
  const { origin, outbound } = await reach((request, reply) =>
    reply.end(JSON.stringify(request.headers)),
  )
  const headers = {
    Host: 'other.example',
    'Content-Length': '7',
    'Accept-Encoding': 'x',
    'X-Own': 'y',
  }
  const { body } = await outbound.fetch(origin, { method: 'POST', headers, body: 'words' })

  expect(JSON.parse(body.toString())).toMatchObject({
    host: new URL(origin).host,
    'content-length': '5',
    'x-own': 'y',
    'accept-encoding': 'gzip, deflate, br',
  })
})

test('the deadline ends a slow body', async () => {
  const host = manualClockHost()
  const dripped = Promise.withResolvers<void>()
  const { origin, outbound } = await reach(
    (_, reply) => {
      const drip = setInterval(() => reply.write('.', () => dripped.resolve()), 5)
      reply.on('close', () => clearInterval(drip))
    },
    { host },
  )
  const fetching = outbound.fetch(origin, { timeoutMs: 1_000 })
  fetching.catch(() => {})
  await dripped.promise
  host.advance(1_000)

  await expect(fetching).rejects.toEqual(code('outbound_timeout'))
  expect(host.sleeps()).toEqual([])
})

test('the deadline ends a slow name lookup', async () => {
  const host = manualClockHost()
  const outbound = outboundTo([], { host, lookup: () => new Promise(() => {}) })
  const fetching = outbound.fetch('http://example.com/', { timeoutMs: 1_000 })
  host.advance(1_000)

  await expect(fetching).rejects.toEqual(code('outbound_timeout'))
})

test('the caller can abort a call', async () => {
  const unwanted = new AbortController()
  const { origin, outbound } = await reach(() => unwanted.abort(new Error('enough')))

  await expect(outbound.fetch(origin, { signal: unwanted.signal })).rejects.toThrow('enough')
})

test('decodes a body and limits its decoded size', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const { origin, outbound } = await reach((request, reply) => {
    if (request.url === '/bomb') return reply.setHeader('content-encoding', 'gzip').end(bomb)
    return reply.setHeader('content-encoding', 'br').end(brotliCompressSync('words'))
  })

  expect((await outbound.fetch(origin, { maxBytes: 5 })).body.toString()).toBe('words')
  await expect(outbound.fetch(origin, { maxBytes: 4 })).rejects.toEqual(code('outbound_too_large'))
  await expect(outbound.fetch(`${origin}/bomb`)).rejects.toEqual(code('outbound_too_large'))
})

test('aborts a body that exceeds the limit', async () => {
  const { origin, outbound } = await reach((_, reply) => {
    const pour = () => {
      while (reply.writable && reply.write('x'.repeat(10_000)));
      if (reply.writable) reply.once('drain', pour)
    }
    pour()
  })

  await expect(outbound.fetch(origin)).rejects.toEqual(code('outbound_too_large'))
})

test.each([
  ['a wrong content length', { 'content-length': '100' }],
  ['a wrong content encoding', { 'content-encoding': 'gzip' }],
])('refuses a reply with %s', async (_, headers) => {
  const { origin, outbound } = await reach((_, reply) => {
    reply.writeHead(200, headers).write('words', () => reply.socket?.end())
  })

  await expect(outbound.fetch(origin)).rejects.toEqual(code('outbound_unavailable'))
})

test('refuses a successful reply of a type that is not accepted', async () => {
  const { origin, outbound } = await reach((request, reply) => {
    const [, status = '200', ...type] = (request.url ?? '').split('/')
    if (type.length) reply.setHeader('content-type', type.join('/'))
    reply.writeHead(Number(status)).end()
  })
  const get = (path: string) =>
    outbound.fetch(origin + path, { accept: ['application/json', 'text/*'] })

  expect((await get('/200/application/json;charset=utf-8')).status).toBe(200)
  expect((await get('/200/text/markdown')).status).toBe(200)
  expect((await get('/404/image/png')).status).toBe(404)
  await expect(get('/200/image/png')).rejects.toEqual(code('outbound_type'))
  await expect(get('/200')).rejects.toEqual(code('outbound_type'))
})

test('refuses an unknown content encoding', async () => {
  const { origin, outbound } = await reach((_, reply) =>
    reply.setHeader('content-encoding', 'gzip, gzip').end('words'),
  )

  await expect(outbound.fetch(origin)).rejects.toEqual(code('outbound_type'))
})

test('the breaker of an origin opens for 30 s after five consecutive failures', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const statuses = [500, 404, 500, 500, 500, 500, 500]
  let calls = 0
  const { origin, outbound } = await reach((_, reply) =>
    reply.writeHead(statuses[calls++] ?? 200).end(),
  )
  for (const status of statuses)
    expect(await outbound.fetch(origin)).toMatchObject({ status, body: Buffer.alloc(0) })

  await expect(outbound.fetch(origin)).rejects.toEqual(code('outbound_unavailable'))
  expect(calls).toBe(statuses.length)
  vi.advanceTimersByTime(30_000)
  expect((await outbound.fetch(origin)).status).toBe(200)
  expect((await outbound.fetch(origin)).status).toBe(200)
})

test('reports a refused connection and an unknown name with the system code', async () => {
  const gone = 'http://127.0.0.1:1'
  const lookup = async () => []
  const outbound = outboundTo([gone], { lookup })

  await expect(outbound.fetch(`${gone}/?key=secret`)).rejects.toMatchObject({
    code: 'outbound_unavailable',
    details: { origin: gone, why: 'ECONNREFUSED' },
  })
  await expect(outbound.fetch('http://example.com/')).rejects.toMatchObject({
    code: 'outbound_unavailable',
    details: { why: 'ENOTFOUND' },
  })
  await expect(outbound.fetch('no address')).rejects.toEqual(code('outbound_scheme'))
})

test.each(['http://localhost:11434/', 'localhost:11434', 'ftp://example.com', 'http://a:b@c.d'])(
  'only an exact origin can be allowed, so not %s',
  (origin) => {
    expect(outboundSettings.schema.safeParse({ allow: [origin] }).success).toBe(false)
    expect(outboundSettings.schema.parse(undefined).allow).toEqual([])
  },
)
