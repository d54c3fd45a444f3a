import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface FakeRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Records requests and sends the configured replies. */
export async function startFakeDaemon(answer: (response: ServerResponse) => unknown) {
  const requests: FakeRequest[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}') as FakeRequest['body']
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

export function answerWith(reply: object, status = 200) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply))
  }
}
