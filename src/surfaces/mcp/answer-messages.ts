import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Host } from '../../kernel/host/host.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import { type Call, Reply } from '../../kernel/http/route.ts'
import { Stream } from '../../kernel/http/stream.ts'
import { failed } from './call-tool.ts'
import type { describeTool } from './describe-tool.ts'
import { type Accepted, bothAccepted, busy } from './replies.ts'
import { createServer, type MakeServer } from './server.ts'

type MessageCall = Call<unknown, unknown, unknown>
/** The parts of a request that the library reads. */
export type Message = Pick<MessageCall, 'body' | 'headers' | 'signal'>

interface AnswerNeeds {
  readonly host: Pick<Host, 'sleep'>
  readonly makeServer: MakeServer
}

/** One message may cancel another; the library then waits for a reply that never comes. */
const timeoutMs = 30_000

/** Answers messages of any protocol version with a server created for this request. */
export async function answerMessages(
  { host, makeServer }: AnswerNeeds,
  call: MessageCall,
  accepted: Accepted,
): Promise<Reply<unknown> | Stream> {
  const server = makeServer(call)
  const response = await withTimeout(host, timeoutMs, respond(server, call, accepted))
  if (response) return await toReply(response)
  await server.close()
  return busy()
}

async function respond(
  server: Server,
  message: Message,
  { json }: Pick<Accepted, 'json'>,
): Promise<Response> {
  const request = toRequest(message)
  const parsedBody = message.body
  if (!(await isLegacyRequest(request, parsedBody)))
    return createMcpHandler(() => server, { legacy: 'reject' }).fetch(request, { parsedBody })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: json })
  await server.connect(transport)
  return transport.handleRequest(request, { parsedBody })
}

/** The library rejects a request that does not accept both kinds of reply. */
function toRequest({ headers, signal }: Message): Request {
  const protocolHeaders = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return new Request('http://localhost/mcp', {
    method: 'POST',
    signal,
    headers: {
      ...Object.fromEntries(protocolHeaders.map(([name, value]) => [name, String(value)])),
      accept: bothAccepted,
      'content-type': 'application/json',
    },
  })
}

async function toReply(response: Response): Promise<Reply<string> | Stream> {
  const { status, headers, body } = response
  const contentType = headers.get('content-type') ?? 'application/json'
  if (body && contentType.startsWith('text/event-stream'))
    return new Stream({ contentType, chunks: body.pipeThrough(new TextDecoderStream()) })
  const text = await response.text()
  return new Reply(status, text, text ? { 'content-type': contentType } : {})
}

interface Offline {
  readonly version: string
  /** As the daemon lists them. */
  readonly listed: readonly ReturnType<typeof describeTool>[]
  /** Why no tool can be called, and what to do about it. */
  readonly reason: string
}

/** Answers without a daemon: tools are listed, and every call is a result that says why it failed. */
export function answerOffline(
  { version, listed, reason }: Offline,
  message: Message,
): Promise<Response> {
  const server = createServer({ version, listed, call: async () => failed(reason) })
  return respond(server, message, { json: true })
}
