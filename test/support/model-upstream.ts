import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FakeReply, type Json, protocols } from './model-protocols.ts'

/**
 * A model provider on loopback. It speaks the protocols of OpenAI (chat, embeddings, models),
 * Anthropic, Ollama and Gemini; the path decides.
 */
export interface ModelUpstream {
  readonly url: string
  /** Every request for a completion or an embedding, in order. */
  readonly requests: readonly UpstreamRequest[]
  /** Connections with an unfinished reply. */
  active(): number
  /** Changes the replies from now on. */
  reply(changes: Partial<FakeReply>): void
  /** Sets the fault of the replies from now on; none without an argument. */
  fail(fault?: Fault): void
  /** Sets the fault of one path, until `fail` is called. */
  failPath(path: string, fault: Fault): void
  stop(): Promise<void>
}

interface UpstreamRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Json
}

export type Fault =
  | { readonly status: number; readonly retryAfter?: number; readonly message?: string }
  | 'silence'
  | 'silent body'
  | 'cut'
  /** Half of the reply, and then nothing more. */
  | 'stall'
  /** Half of the reply, and the rest once the fault is over. */
  | 'pause'
  | 'early end'
  | 'invalid json'
  | 'bad chunk'
  | 'error event'
  | 'drip'
  | 'endless'
  | 'redirect'
  | 'html'
  /** A refusal that repeats the credential. */
  | 'repeated key'

const defaultReply: FakeReply = {
  text: 'Hello from the model.',
  toolCalls: [],
  finish: 'stop',
  usage: { input: 10, output: 5, cacheRead: 0, cacheCreation: 0 },
}

interface State {
  reply: FakeReply
  fault: Fault | undefined
  faultyPath: string | undefined
  readonly requests: UpstreamRequest[]
}

export async function startModelUpstream(): Promise<ModelUpstream> {
  const state: State = {
    reply: defaultReply,
    fault: undefined,
    faultyPath: undefined,
    requests: [],
  }
  let active = 0
  const server = createServer((request, response) => {
    active += 1
    response.on('close', () => {
      active -= 1
    })
    void serve(state, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    active: () => active,
    reply: (changes) => {
      state.reply = { ...defaultReply, ...changes }
    },
    fail: (fault) => {
      state.fault = fault
      state.faultyPath = undefined
    },
    failPath: (path, fault) => {
      state.fault = fault
      state.faultyPath = path
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse) {
  const path = new URL(request.url ?? '/', 'http://upstream.invalid').pathname
  if (request.method === 'GET') return sendListing(path, response)
  const body: Json = await readJson(request)
  state.requests.push({ path, headers: request.headers, body })
  if (path.endsWith('/embeddings')) return sendJson(response, embeddings(body))
  const protocol = protocols.find(({ matches }) => matches(request.method ?? '', path))
  if (!protocol) return sendJson(response, { error: 'not found' }, 404)
  const fault = (state.faultyPath ?? path) === path ? state.fault : undefined
  if (typeof fault === 'object') return sendFault(response, fault, protocol.error)
  const isStream = protocol.isStream(path, body)
  const frames = isStream
    ? protocol.frames(state.reply, body)
    : [JSON.stringify(protocol.whole(state.reply, body))]
  const type = isStream ? protocol.streamType : 'application/json'
  const error = protocol.error(`Invalid key: ${readKey(request)}`)
  const isOver = () => state.fault === undefined
  const { badFrame } = protocol
  const context = { request, response, frames, type, error, badFrame, isOver }
  await (fault === undefined ? sendFrames(context) : faults[fault](context))
}

function readKey({ headers }: IncomingMessage): string {
  return String(headers.authorization ?? headers['x-api-key'] ?? 'no key')
}

function sendFault(
  response: ServerResponse,
  { status, retryAfter, message = 'The fake provider refuses.' }: Extract<Fault, object>,
  toBody: (message: string) => Json,
): void {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  sendJson(response, toBody(message), status, headers)
}

interface Context {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly frames: readonly string[]
  readonly type: string
  readonly error: Json
  readonly badFrame: string
  isOver(): boolean
}

function sendFrames({ response, frames, type }: Context) {
  response.writeHead(200, { 'content-type': type })
  for (const frame of frames) response.write(frame)
  response.end()
}

/** The first half of the reply: frames of a stream, characters of a whole reply. */
function firstHalf(frames: readonly string[]): string {
  const [only = ''] = frames
  return frames.length > 1
    ? frames.slice(0, Math.ceil(frames.length / 2)).join('')
    : only.slice(0, only.length / 2)
}

const faults: Readonly<Record<Extract<Fault, string>, (context: Context) => Promise<void> | void>> =
  {
    silence: () => {},
    'silent body': ({ response, type }) => {
      response.writeHead(200, { 'content-type': type }).flushHeaders()
    },
    cut: async ({ response, frames, type }) => {
      response.writeHead(200, { 'content-type': type }).write(firstHalf(frames))
      await sleep(30)
      response.destroy()
    },
    stall: ({ response, frames, type }) => {
      response.writeHead(200, { 'content-type': type }).write(firstHalf(frames))
    },
    pause: async ({ response, frames, type, isOver }) => {
      const half = firstHalf(frames)
      response.writeHead(200, { 'content-type': type }).write(half)
      while (!isOver() && !response.destroyed) await sleep(10)
      response.end(frames.join('').slice(half.length))
    },
    'early end': ({ response, frames, type }) => {
      response.writeHead(200, { 'content-type': type }).end(firstHalf(frames))
    },
    'invalid json': ({ response, type }) => {
      response.writeHead(200, { 'content-type': type }).end('{"half": ')
    },
    'bad chunk': ({ response, frames, type, badFrame }) => {
      const [first = '', ...others] = frames.length > 1 ? frames : ['']
      response.writeHead(200, { 'content-type': type }).end(first + badFrame + others.join(''))
    },
    'error event': ({ response, frames, type, error }) => {
      const isLines = type === 'application/x-ndjson'
      const frame = `${isLines ? '' : 'event: error\ndata: '}${JSON.stringify(error)}\n\n`
      const start = frames.length > 1 ? (frames[0] ?? '') : ''
      response.writeHead(200, { 'content-type': type }).end(start + frame)
    },
    drip: async ({ response, frames, type }) => {
      response.writeHead(200, { 'content-type': type })
      for (const character of frames.join('')) {
        if (response.destroyed) return
        response.write(character)
        await sleep(50)
      }
    },
    endless: async ({ response, frames, type }) => {
      const [first = '', second = '', third] = frames
      response.writeHead(200, { 'content-type': type })
      response.write(third ? first + second : first.slice(0, -1))
      const filler = (third ?? ' ').padEnd(16_384, ' \n')
      while (!response.destroyed) {
        if (!response.write(filler)) await sleep(1)
      }
    },
    redirect: ({ response }) => {
      response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
    },
    html: ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in first.</p>')
    },
    'repeated key': ({ response, error }) => sendJson(response, error, 400),
  }

function sendListing(path: string, response: ServerResponse): void {
  const listing = listings.find(([end]) => path.endsWith(end))?.[1]
  sendJson(response, listing ?? { error: 'not found' }, listing ? 200 : 404)
}

const listings: readonly (readonly [string, Json])[] = [
  ['/api/tags', { models: [{ name: 'llama:latest', model: 'llama:latest' }] }],
  ['/health', { status: 'ok' }],
  ['/blank/models', { object: 'list', data: [] }],
  ['/models', { object: 'list', data: [{ id: 'model-a', object: 'model' }] }],
]

function embeddings(body: Json): Json {
  const texts = [body['input'] ?? []].flat().map(String)
  return {
    object: 'list',
    model: body['model'],
    data: texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: [text.length, text.charCodeAt(0) || 1],
    })),
    usage: { prompt_tokens: texts.length, total_tokens: texts.length },
  }
}

function sendJson(response: ServerResponse, body: Json, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<Json> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  try {
    return JSON.parse(Buffer.concat(pieces).toString())
  } catch {
    return {}
  }
}
