import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export interface OriginRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The origin itself, for links in answers. */
  readonly origin: string
}

export interface OriginAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: string | object
}

/**
 * An answer instead of the real one: `cut` closes the connection, `truncate` sends half a body,
 * `endless` sends until the other side leaves, `bomb` sends 64 MiB that are packed well.
 */
type Fault = OriginAnswer | 'cut' | 'hang' | 'truncate' | 'endless' | 'bomb'

/** A server on loopback that speaks the protocol of an origin, with faults where a test wants them. */
export interface FakeOrigin {
  readonly url: string
  readonly requests: readonly OriginRequest[]
  readonly server: Server
  /** Answers the next requests whose method and path match with a fault, by default one. */
  fail(match: RegExp, fault: Fault, times?: number): void
  /** Removes all faults. */
  heal(): void
  stop(): Promise<void>
}

interface PlannedFault {
  readonly match: RegExp
  readonly fault: Fault
  remaining: number
}

export async function startFakeOrigin(
  answer: (request: OriginRequest) => OriginAnswer,
): Promise<FakeOrigin> {
  const faults: PlannedFault[] = []
  const requests: OriginRequest[] = []
  const server = createServer((request, response) => void serve(request, response))
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const read = await readRequest(request, url)
    requests.push(read)
    const target = `${read.method} ${read.path}?${read.query}`
    const planned = faults.find(({ match, remaining }) => remaining > 0 && match.test(target))
    if (planned) planned.remaining -= 1
    send(response, () => answer(read), planned?.fault)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    server,
    fail: (match, fault, times = 1) => {
      faults.push({ match, fault, remaining: times })
    },
    heal: () => {
      faults.length = 0
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const bomb = () => gzipSync(Buffer.alloc(67_108_864, ' '))

const senders: Readonly<Record<string, (response: ServerResponse) => void>> = {
  hang: () => {},
  cut: (response) => response.destroy(),
  endless: sendEndless,
  bomb: (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb()),
}

function sendEndless(response: ServerResponse): void {
  const block = Buffer.alloc(1_048_576, ' ')
  response.writeHead(200, json)
  const pour = () => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', pour)
  pour()
}

async function readRequest(request: IncomingMessage, origin: string): Promise<OriginRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { pathname, searchParams } = new URL(request.url ?? '/', origin)
  return {
    method: request.method ?? 'GET',
    path: decodeURIComponent(pathname),
    query: searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
    origin,
  }
}

function send(
  response: ServerResponse,
  answer: () => OriginAnswer,
  fault: Fault | undefined,
): void {
  const sendFault = typeof fault === 'string' && senders[fault]
  if (sendFault) {
    sendFault(response)
    return
  }
  const { status = 200, headers = {}, body = '' } = typeof fault === 'object' ? fault : answer()
  const isText = typeof body === 'string'
  const text = isText ? body : JSON.stringify(body)
  const type = isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...headers })
  if (fault !== 'truncate') {
    response.end(text)
    return
  }
  // The other side sees a body that ends too early.
  response.write(text.slice(0, text.length / 2))
  response.socket?.destroySoon()
}
