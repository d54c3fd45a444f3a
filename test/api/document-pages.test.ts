import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const html = { 'content-type': 'text/html' }
const pages: Readonly<Record<string, (reply: ServerResponse) => void>> = {
  '/image': (reply) => reply.writeHead(200, { 'content-type': 'image/png' }).end('no text'),
  '/gone': (reply) => reply.writeHead(410, html).end('gone'),
  '/secret': (reply) => reply.writeHead(401, html).end('sign in'),
  '/large': (reply) => reply.writeHead(200, { ...html, 'content-length': '3000' }).end(text(3_000)),
  '/bomb': (reply) =>
    reply.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(text(5_000_000))),
  '/endless': (reply) => {
    reply.writeHead(200, html)
    const timer = setInterval(() => reply.write(text(1_000)), 5)
    reply.on('close', () => clearInterval(timer))
  },
  '/loop': (reply) => reply.writeHead(302, { location: '/loop' }).end(),
  '/file': (reply) => reply.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/inside': (reply) => reply.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/empty': (reply) => reply.writeHead(200, html).end('<script>no words</script>'),
  '/pdf': (reply) => reply.writeHead(200, { 'content-type': 'application/pdf' }).end('no PDF'),
}

function text(length: number): string {
  return 'x '.repeat(length / 2)
}

const server = createServer((request, reply) => pages[request.url ?? '']?.(reply))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const documents = { maxContentBytes: 2_000 }
const service = await startService({
  config: { outbound: { allow: [origin] }, memory: { pipelineV2: { documents } } },
})
afterAll(async () => {
  await service.stop()
  server.closeAllConnections()
  server.close()
})

test.each([
  ['/image', 'outbound_type'],
  ['/gone', 'http_status'],
  ['/secret', 'http_status'],
  ['/large', 'outbound_too_large'],
  ['/bomb', 'outbound_too_large'],
  ['/endless', 'outbound_too_large'],
  ['/loop', 'outbound_redirects'],
  ['/file', 'outbound_scheme'],
  ['/inside', 'outbound_address'],
  ['/empty', 'empty'],
  ['/pdf', 'corrupt'],
])('the page %s fails at once with %s', async (path, reason) => {
  const body = { source_type: 'url', url: `${origin}${path}` }
  const { id, jobId } = (await service.ask('POST /api/documents', { body })).body
  const read = async () => (await service.ask(`GET /api/documents/${id}`)).body

  await expect.poll(async () => (await read())['status'], { timeout: 15_000 }).toBe('failed')
  expect((await read())['error']).toContain(reason)
  expect((await service.ask(`GET /api/memory/jobs/${jobId}`)).body).toMatchObject({ attempts: 1 })
})
