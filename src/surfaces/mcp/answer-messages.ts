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
import { type Accepted, bothAccepted } from './accepted.ts'
import { busy } from './replies.ts'
import type { MakeServer } from './server.ts'

type MessageCall = Call<unknown, unknown, unknown>
/** What of a request the library reads. */
export type Message = Pick<MessageCall, 'body' | 'headers' | 'signal'>

interface AnswerNeeds {
  readonly host: Pick<Host, 'sleep'>
  readonly makeServer: MakeServer
}

/** One message may take another back, and then the library waits for an answer that never comes. */
const timeoutMs = 30_000

/** Whatever generation of the protocol speaks, a server made for these messages answers them. */
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

export async function respond(
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

/** As the library wants it: it answers nobody who does not take both kinds. */
function toRequest({ headers, signal }: Message): Request {
  const protocolHeaders = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return new Request('http://localhost/mcp', {
    ...{ method: 'POST', signal },
    headers: {
      ...Object.fromEntries(protocolHeaders.map(([name, value]) => [name, String(value)])),
      ...{ accept: bothAccepted, 'content-type': 'application/json' },
    },
  })
}

async function toReply(response: Response): Promise<Reply<string> | Stream> {
  const { status, headers, body } = response
  const contentType = headers.get('content-type') ?? 'application/json'
  if (body && contentType.startsWith('text/event-stream'))
    return new Stream({ contentType, pieces: body.pipeThrough(new TextDecoderStream()) })
  const text = await response.text()
  return new Reply(status, text, text ? { 'content-type': contentType } : {})
}
