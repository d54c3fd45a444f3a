import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { fixedHost } from '../testing/fixed-host.ts'
import { serve } from '../testing/serve.ts'
import { route } from './route.ts'
import { createServer } from './server.ts'
import { Stream, toNdjson, toServerSentEvents } from './stream.ts'

const streaming = (handle: () => Stream) =>
  route({
    name: 'test.stream',
    method: 'GET',
    path: '/stream',
    permission: 'recall',
    handle: async () => handle(),
  })

async function* endless(onClosed: () => void) {
  try {
    for (let id = 1; ; id++) yield { id, data: 'x'.repeat(64 * 1024) }
  } finally {
    onClosed()
  }
}

/** A source that never yields. `closed` resolves when it is closed. */
function silent() {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  const source: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        onClosed()
        return { done: true, value: undefined }
      },
    }),
  }
  return { source, closed }
}

/** Each result references its item, so that a test detects whether the result is retained. */
function withSourceItem(source: AsyncIterable<object>): AsyncIterator<string> {
  const items = source[Symbol.asyncIterator]()
  return {
    next: async () => {
      const { value: from } = await items.next()
      return Object.assign({ done: false as const, value: 'x' }, { from })
    },
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test('writes one line of JSON per item', async () => {
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

test('writes the id and one data line per event', async () => {
  const events = async function* () {
    yield { id: 7, data: { a: 1 } }
    yield { data: 'no id' }
  }
  const url = await serve([streaming(() => toServerSentEvents(events()))])

  const reply = await fetch(`${url}/stream`)

  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  expect(await reply.text()).toBe('id: 7\ndata: {"a":1}\n\ndata: "no id"\n\n')
})

test('writes the name of an event, and a line that is no JSON', async () => {
  const events = async function* () {
    yield { id: 1, event: 'delta', data: { text: 'two\nlines' } }
    yield { event: 'done\ndata: forged', data: null }
    yield { text: '[DONE]' }
  }
  const options = { headers: { 'x-own': 'y' } }
  const url = await serve([streaming(() => toServerSentEvents(events(), options))])

  const reply = await fetch(`${url}/stream`)

  expect(reply.headers.get('x-own')).toBe('y')
  expect(await reply.text()).toBe(
    'id: 1\nevent: delta\ndata: {"text":"two\\nlines"}\n\n' +
      'event: done data: forged\ndata: null\n\n' +
      'data: [DONE]\n\n',
  )
})

test('a keepalive may be an event', async () => {
  const keepalive = { event: 'keepalive', data: { keepalive: true } }
  const stream = () => toServerSentEvents(silent().source, { keepalive })
  const streamTimes = { keepaliveMs: 20, stallTimeoutMs: 10_000 }
  const url = await serve([streaming(stream)], { streamTimes })
  const [reply] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage]
  const [chunk] = await once(reply, 'data')
  reply.destroy()

  expect(String(chunk)).toBe('event: keepalive\ndata: {"keepalive":true}\n\n')
})

test('disconnects a stream whose source fails and logs the fault once', async () => {
  const items = async function* () {
    yield { a: 1 }
    throw new Error('the source broke')
  }
  const lines: string[] = []
  const log = createLog('error', { write: (line) => lines.push(line) })
  const url = await serve([streaming(() => toNdjson(items()))], { log })

  const reply = await fetch(`${url}/stream`)

  await expect(reply.text()).rejects.toThrow('terminated')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { err: { message: 'the source broke' }, during: 'GET /stream' },
  ])
})

test('a source that cannot be closed affects only its stream', async () => {
  const source: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: true, value: undefined }),
      return: () => Promise.reject(new Error('it does not close')),
    }),
  }
  const lines: string[] = []
  const log = createLog('error', { write: (line) => lines.push(line) })
  const url = await serve([streaming(() => toNdjson(source))], { log })

  expect(await (await fetch(`${url}/stream`)).text()).toBe('')
  await expect.poll(() => lines.join()).toContain('it does not close')
})

test('releases the chunks that the client has received', async () => {
  const taken: WeakRef<object>[] = []
  const { promise: paused, resolve: pause } = Promise.withResolvers<void>()
  const source: AsyncIterable<object> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = { line: taken.length }
        taken.push(new WeakRef(value))
        if (taken.length < 100) return { done: false, value }
        pause()
        return await new Promise<never>(() => {})
      },
    }),
  }
  const pieces = { [Symbol.asyncIterator]: () => withSourceItem(source) }
  const stream = new Stream({ contentType: 'text/plain', chunks: pieces })
  const url = await serve([streaming(() => stream)])
  const [reply] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage]
  onTestFinished(() => void reply.destroy())
  await paused

  await expect
    .poll(() => {
      collectGarbage()
      return taken.filter((one) => one.deref()).length
    })
    .toBeLessThan(10)
})

test('sends keepalive comments while the source is silent', async () => {
  const streamTimes = { keepaliveMs: 5, stallTimeoutMs: 1000 }
  const url = await serve([streaming(() => toServerSentEvents(silent().source))], { streamTimes })
  const [reply] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage]
  onTestFinished(() => void reply.destroy())

  const [comment] = await once(reply.setEncoding('utf8'), 'data')

  expect(comment).toContain(': keepalive\n\n')
})

test('closes the source when the client disconnects', async () => {
  const { source, closed } = silent()
  const url = await serve([streaming(() => toServerSentEvents(source))])
  const [reply] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage]

  reply.destroy()

  await closed
})

test('disconnects a client that reads nothing', async () => {
  const streamTimes = { keepaliveMs: 60_000, stallTimeoutMs: 20 }
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  const url = await serve([streaming(() => toServerSentEvents(endless(onClosed)))], { streamTimes })
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
