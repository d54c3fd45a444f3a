import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { fixedHost } from '../testing/fixed-host.ts'
import { serve } from '../testing/serve.ts'
import { route } from './route.ts'
import { createServer } from './server.ts'
import { type Stream, toNdjson, toServerSentEvents } from './stream.ts'

const streaming = (handle: () => Stream) =>
  route({
    ...{ name: 'test.stream', method: 'GET', path: '/stream', permission: 'recall' },
    handle: async () => handle(),
  })

async function* endless(onClosed: () => void) {
  try {
    for (let id = 1; ; id++) yield { id, data: 'x'.repeat(64 * 1024) }
  } finally {
    onClosed()
  }
}

/** Waits for what never comes, and tells when it is let go. */
function silent() {
  const { promise: closed, resolve: letGo } = Promise.withResolvers<void>()
  const source: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        letGo()
        return { done: true, value: undefined }
      },
    }),
  }
  return { source, closed }
}

test('each item is a line of JSON', async () => {
  const items = async function* () {
    yield { a: 1 }
    yield { b: 'two\nlines' }
  }
  const url = await serve([streaming(() => toNdjson(items()))])

  const reply = await fetch(`${url}/stream`)

  expect(reply.headers.get('content-type')).toContain('application/x-ndjson')
  expect(reply.headers.get('x-svc-request-id')).toBe('id-1')
  expect(await reply.text()).toBe('{"a":1}\n{"b":"two\\nlines"}\n')
})

test('each event is one line of data, after its id', async () => {
  const events = async function* () {
    yield { id: 7, data: { a: 1 } }
    yield { data: 'no id' }
  }
  const url = await serve([streaming(() => toServerSentEvents(events()))])

  const reply = await fetch(`${url}/stream`)

  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  expect(await reply.text()).toBe('id: 7\ndata: {"a":1}\n\ndata: "no id"\n\n')
})

test('silence is filled with comments', async () => {
  const streamTimes = { keepaliveMs: 5, stalledMs: 1000 }
  const url = await serve([streaming(() => toServerSentEvents(silent().source))], { streamTimes })
  const [reply] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage]
  onTestFinished(() => void reply.destroy())

  const [comment] = await once(reply.setEncoding('utf8'), 'data')

  expect(comment).toContain(': keepalive\n\n')
})

test('the source is let go when the client has gone', async () => {
  const { source, closed } = silent()
  const url = await serve([streaming(() => toServerSentEvents(source))])
  const [reply] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage]

  reply.destroy()

  await closed
})

test('a client that takes nothing is let go', async () => {
  const streamTimes = { keepaliveMs: 60_000, stalledMs: 20 }
  const { promise: closed, resolve: letGo } = Promise.withResolvers<void>()
  const url = await serve([streaming(() => toServerSentEvents(endless(letGo)))], { streamTimes })
  const [reply] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage]
  onTestFinished(() => void reply.destroy())

  await closed
})

test('a stream ends when the service stops', async () => {
  const server = await createServer({ host: fixedHost(), log: createLog('silent') })
  onTestFinished(() => server.close())
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const principal = {
    role: 'admin',
    scope: {},
    claims: null,
    refusal: null,
    subject: 'me',
  } as const
  const routes = [streaming(() => toServerSentEvents(silent().source))]
  await server.open({ routes, authenticate: () => principal })
  const reply = await fetch(`${url}/stream`)

  await server.close()

  expect(await reply.text()).toBe('')
})
