import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { serveWebSockets } from '../../../test/support/fake-websocket.ts'
import { code, outboundTo } from './outbound.fixture.ts'

/** A server that returns each message. */
async function echo() {
  const server = createServer()
  serveWebSockets(server, {
    onOpen: (socket) => socket.send({ hello: true }),
    onMessage: (socket, message) => {
      if (message === 'close') socket.close(4_004)
      else if (message !== 'silence') socket.send({ message })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, allowed: `http://127.0.0.1:${port}`, url: `ws://127.0.0.1:${port}/` }
}

test('messages go both ways, and the code of the other side ends them', async () => {
  const { url, allowed } = await echo()
  const texts: string[] = []
  const { signal } = new AbortController()
  const socket = await outboundTo([allowed]).connect(url, {
    signal,
    onText: (text) => texts.push(text),
  })
  const long = 'x'.repeat(70_000)
  for (const message of ['a', long]) socket.send(JSON.stringify(message))

  await expect.poll(() => texts.length).toBe(3)
  expect(texts.map((text) => JSON.parse(text))).toEqual([
    { hello: true },
    { message: 'a' },
    { message: long },
  ])
  socket.send('"close"')
  expect(await socket.closed).toBe(4_004)
})

test('an address that is not allowed is refused, by its form and by its name', async () => {
  const { port, url } = await echo()
  const request = { signal: new AbortController().signal, onText: () => {} }
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const outbound = outboundTo([], { lookup })

  await expect(outbound.connect(url, request)).rejects.toEqual(code('outbound_address'))
  await expect(outbound.connect('wss://a:b@example.com/', request)).rejects.toEqual(
    code('outbound_scheme'),
  )
  await expect(outbound.connect('https://example.com/', request)).rejects.toEqual(
    code('outbound_scheme'),
  )
  await expect(outbound.connect(`ws://rebound.example.com:${port}/`, request)).rejects.toEqual(
    code('outbound_address'),
  )
})

test('a message over the limit, and an abort, end the connection', async () => {
  const { url, allowed } = await echo()
  const outbound = outboundTo([allowed])
  const leaving = new AbortController()
  const request = { signal: leaving.signal, onText: () => {} }
  const small = await outbound.connect(url, { ...request, maxBytes: 100 })
  small.send(JSON.stringify('y'.repeat(200)))
  expect(await small.closed).not.toBe(1_000)

  const socket = await outbound.connect(url, request)
  leaving.abort()
  expect(await socket.closed).toBe(1_006)
  await expect(outbound.connect(url, request)).rejects.toBeDefined()
})

test('a server that is gone is unavailable', async () => {
  const outbound = outboundTo(['http://127.0.0.1:1'])
  const request = { signal: new AbortController().signal, onText: () => {} }
  await expect(outbound.connect('ws://127.0.0.1:1/', request)).rejects.toEqual(
    code('outbound_unavailable'),
  )
})
