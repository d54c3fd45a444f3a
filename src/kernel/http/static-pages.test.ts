import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { fixedHost } from '../testing/fixed-host.ts'
import { createServer, type Server } from './server.ts'
import { readPages } from './static-pages.ts'

const page = '<!doctype html><title>pages</title>'
const script = 'export const answer = 42'
const servers: Server[] = []
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
})

async function createBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'))
  await mkdir(join(folder, 'assets'))
  const contents = [
    ['index.html', 'text/html; charset=utf-8', page],
    ['assets/app-1.js', 'text/javascript; charset=utf-8', script],
    ['assets/face-1.woff2', 'font/woff2', 'face'],
  ] as const
  const files = contents.map(([path, type, text]) => {
    return { path, type, size: text.length, sha256: `sha-of-${path}` }
  })
  for (const [path, , text] of contents) {
    await writeFile(join(folder, path), text)
    await writeFile(join(folder, `${path}.gz`), gzipSync(text))
  }
  await writeFile(join(folder, 'unlisted.txt'), 'not listed')
  await writeFile(join(folder, 'files.json'), JSON.stringify({ version: 'v7', files }))
  return folder
}

async function start(folder?: string) {
  const server = await createServer({ host: fixedHost(), log: createLog('silent'), version: '1<2' })
  servers.push(server)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const early = await fetch(`${url}/`)
  const authenticate = () => {
    throw new Error('Pages need no credential.')
  }
  const pages = folder === undefined ? undefined : await readPages(folder)
  await server.open({ routes: [], authenticate, pages })
  return { url, early }
}

const built = await start(await createBuild())
const plain = await start()

test.each(['/', '/ui', '/ui/memories', '/ui/memories/a%2Fb?q=x'])(
  'serves the page at %s',
  async (path) => {
    const reply = await fetch(built.url + path)

    expect(await reply.text()).toBe(page)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    expect(reply.headers.get('x-svc-dashboard')).toBe('v7')
  },
)

test('sends the policy and the headers that confine the page', async () => {
  const { headers } = await fetch(`${built.url}/ui/memories`)

  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types reverie",
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toBe(
    'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  )
})

test('answers 304 to a page that the browser has', async () => {
  const etag = (await fetch(built.url)).headers.get('etag') ?? ''

  const reply = await fetch(built.url, { headers: { 'if-none-match': etag } })

  expect(reply.status).toBe(304)
  expect(await reply.text()).toBe('')
})

test('serves assets that never change, and fonts without compression', async () => {
  const reply = await fetch(`${built.url}/ui/assets/app-1.js`)
  const face = await fetch(`${built.url}/ui/assets/face-1.woff2`)

  expect(await reply.text()).toBe(script)
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(face.headers.get('content-encoding')).toBeNull()
  expect(face.headers.get('content-length')).toBe('4')
})

test.each([
  ['gzip, br', true],
  ['br', false],
  ['gzip;q=0', false],
  ['identity', false],
])('answers accept-encoding %s with gzip: %s', async (accepted, isCompressed) => {
  const { request } = await import('node:http')
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const headers = { 'accept-encoding': accepted }
  request(`${built.url}/ui/assets/app-1.js`, { headers }, async (reply) => {
    resolve(Buffer.concat(await reply.toArray()))
  }).end()
  const body = await promise

  expect((isCompressed ? gunzipSync(body) : body).toString()).toBe(script)
})

test.each([
  '/ui/assets/unknown.js',
  '/ui/assets/../unlisted.txt',
  '/ui/assets/..%2Funlisted.txt',
  '/ui/assets/%2e%2e/unlisted.txt',
  '/ui/assets/__proto__',
])('serves no file that is not listed: %s', async (path) => {
  const reply = await fetch(built.url + path)

  expect(await reply.text()).not.toContain('not listed')
})

test('a file that was removed under the service is not found', async () => {
  const folder = await createBuild()
  const { url } = await start(folder)
  await rm(join(folder, 'assets'), { recursive: true })

  const reply = await fetch(`${url}/ui/assets/app-1.js`)

  expect(reply.status).toBe(404)
  expect(await reply.json()).toMatchObject({ code: 'not_found' })
  expect(reply.headers.get('cache-control')).not.toBe('public, max-age=31536000, immutable')
  expect((await fetch(url)).status).toBe(200)
})

test('answers HEAD without a body', async () => {
  const reply = await fetch(built.url, { method: 'HEAD' })

  expect([reply.status, await reply.text()]).toEqual([200, ''])
})

test('serves a plain page without a script when the pages are not built', async () => {
  const reply = await fetch(plain.url)
  const text = await reply.text()

  expect(reply.headers.get('x-svc-dashboard')).toBe('plain')
  expect(reply.headers.get('content-security-policy')).not.toContain('trusted-types')
  expect(text).toContain('Version 1&lt;2. Status: running.')
  expect(text).not.toContain('<script')
  expect((await fetch(`${plain.url}/ui/memories`)).status).toBe(404)
})

test('serves a page that loads itself again while the service starts', async () => {
  expect(built.early.status).toBe(503)
  expect(built.early.headers.get('refresh')).toBe('1')
  expect(await built.early.text()).toContain('Status: starting.')
})
