import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Client } from '../../client/client.ts'
import { ReverieError, toReverieError } from '../../client/public/reverie-error.ts'
import type { Row } from './render.ts'

export interface ServerEvent {
  /** Empty for an event without a name. */
  readonly event: string
  readonly data: Row
}

export interface EventStream {
  readonly headers: Headers
  /** Ends with the connection. */
  readonly events: AsyncIterable<ServerEvent>
}

/** Sends a request whose reply is a stream of server-sent events; throws `ReverieError`. */
export async function openEvents(
  client: Client,
  route: string,
  input: Parameters<Client['open']>[1],
): Promise<EventStream> {
  const reply = await client.open(route, input)
  if (!reply.ok) throw await toReverieError(reply)
  return { headers: reply.headers, events: readEvents(reply.body ?? new ReadableStream()) }
}

/** The error for a stream that ends before its last event. */
export function closedEarly({ url }: Pick<Client, 'url'>): ReverieError {
  const message = `the daemon at ${url} closed the connection`
  return new ReverieError({ code: 'unreachable', message })
}

async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const events = stream
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { event = '', data } of events) yield { event, data: Object(JSON.parse(data)) }
}
