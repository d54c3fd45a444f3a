import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ModelReply, type Protocol, protocols, type StreamEvent } from './model-protocols.ts'

export interface ModelRequest {
  readonly protocol: string
  /** Names without the server prefix. */
  readonly tools: readonly string[]
  /** The whole request as JSON. */
  readonly json: string
}

export interface FakeModel {
  readonly url: string
  readonly requests: ModelRequest[]
  /** Answers the next request that offers `memory_store` with a call of it. */
  storeNext(content: string): void
  stop(): void
}

/** The reply of the model to every prompt. */
export const answer = 'Green tea it is.'

/** A loopback server with the protocols of all models; it always streams. */
export async function startFakeModel(): Promise<FakeModel> {
  const requests: ModelRequest[] = []
  const state: ModelState = { toStore: undefined }
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}')
    const protocol = protocols.find(({ path }) => path.test(request.url ?? ''))
    // Optional requests of the programs: telemetry, model lists, updates.
    if (!protocol || request.method !== 'POST') return void sendJson(response, 404, {})
    const tools = protocol.listTools(body).map(({ name }) => name)
    requests.push({ protocol: protocol.name, tools, json: JSON.stringify(body) })
    send(request, response, { protocol, body, state })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    storeNext: (content) => {
      state.toStore = content
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface ModelState {
  toStore: string | undefined
}

interface Asked {
  readonly state: ModelState
  readonly protocol: Protocol
  readonly body: Readonly<Record<string, unknown>>
}

function send(request: IncomingMessage, response: ServerResponse, call: Asked): void {
  const { protocol, body } = call
  const events = protocol.render(chooseReply(call))
  const isStream = body['stream'] === true || /stream/.test(request.url ?? '')
  if (isStream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.map(renderEvent).join(''))
  } else sendJson(response, 200, events.at(-1)?.data)
}

function chooseReply({ protocol, body, state }: Asked): ModelReply {
  const { generationConfig } = Object(body)
  // Gemini asks which side speaks next.
  if (Object(generationConfig).responseMimeType === 'application/json')
    return { kind: 'text', text: '{"reasoning":"done","next_speaker":"user"}' }
  const tool = protocol.listTools(body).find(({ name }) => name.endsWith('memory_store'))
  const content = state.toStore
  if (content === undefined || !tool) return { kind: 'text', text: answer }
  state.toStore = undefined
  return { kind: 'call', tool, input: { content } }
}

function renderEvent({ event, data }: StreamEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? {}))
}
