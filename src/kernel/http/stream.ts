import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { untilAborted } from '../host/with-timeout.ts'

/** Text or UTF-8 bytes. */
type Chunk = string | Uint8Array

/** A streamed reply. The next chunk is read when the client has received the last one. */
export class Stream {
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: AsyncIterable<Chunk>
  /** Sent while the source is silent, so that proxies keep the connection. */
  readonly keepalive: string | undefined

  constructor({ contentType, chunks, headers = {}, keepalive }: StreamShape) {
    this.contentType = contentType
    this.chunks = chunks
    this.headers = headers
    this.keepalive = keepalive
  }
}

interface StreamShape {
  readonly contentType: string
  readonly chunks: AsyncIterable<Chunk>
  readonly headers?: Readonly<Record<string, string>>
  readonly keepalive?: string
}

export interface StreamTimes {
  readonly keepaliveMs: number
  /** A client that reads nothing for this long is disconnected. */
  readonly stallTimeoutMs: number
  /** Time between two checks of the credential of a subscription. */
  readonly recheckMs?: number
}

/** A serialized JSON document. */
export function toJsonStream(json: Uint8Array): Stream {
  return toTextStream('application/json; charset=utf-8', json)
}

/** A reply in a format of its own. */
export function toTextStream(contentType: string, text: Chunk): Stream {
  const chunks = (async function* () {
    yield text
  })()
  return new Stream({ contentType, chunks })
}

/** One JSON document per line. */
export function toNdjson(items: AsyncIterable<unknown>): Stream {
  const chunks = map(items, (item) => `${JSON.stringify(item)}\n`)
  return new Stream({ contentType: 'application/x-ndjson; charset=utf-8', chunks })
}

interface ServerSentEvent {
  /** Sent back as `Last-Event-ID` by a client that reconnects. */
  readonly id?: string | number
  /** Its name for the listeners of a client; without one a client receives `message`. */
  readonly event?: string
  readonly data: unknown
}

/** A line that is no JSON, such as the end mark of a protocol. */
interface RawEvent {
  readonly text: string
}

interface EventStreamOptions {
  /** Sent while the source is silent; a comment by default. */
  readonly keepalive?: ServerSentEvent
  readonly headers?: Readonly<Record<string, string>>
}

type StreamItem = ServerSentEvent | RawEvent

/**
 * Events with JSON data, one or several per item. The stream sends ids and names if the events have
 * them.
 */
export function toServerSentEvents(
  events: AsyncIterable<StreamItem | readonly StreamItem[]>,
  { keepalive, headers }: EventStreamOptions = {},
): Stream {
  return new Stream({
    contentType: 'text/event-stream; charset=utf-8',
    chunks: map(events, (item) => [item].flat().map(toFrame).join('')),
    keepalive: keepalive ? toFrame(keepalive) : ': keepalive\n\n',
    headers: {
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
      ...headers,
    },
  })
}

function toFrame(item: StreamItem): string {
  if ('text' in item) return `data: ${toLine(item.text)}\n\n`
  const { id, event, data } = item
  const idLine = id === undefined ? '' : `id: ${toLine(String(id))}\n`
  const eventLine = event === undefined ? '' : `event: ${toLine(event)}\n`
  return `${idLine}${eventLine}data: ${JSON.stringify(data)}\n\n`
}

/** A line break would begin another field. */
function toLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

/** The last event that a reconnecting client received; undefined for a new client. */
export function readLastEventId(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

/**
 * Writes until the source ends or the signal aborts, then closes the source. An incomplete finite
 * stream destroys the connection, so that the client detects it. Never throws: errors of the source
 * go to `onFault`.
 */
export async function sendStream(
  { chunks, keepalive }: Stream,
  response: ServerResponse,
  { signal, keepaliveMs, stallTimeoutMs, onFault }: SendOptions,
): Promise<void> {
  const source = chunks[Symbol.asyncIterator]()
  const keepaliveTimer = keepalive === undefined ? undefined : setInterval(keepAlive, keepaliveMs)
  function keepAlive() {
    if (!response.writableNeedDrain) response.write(keepalive)
  }
  // A stream with keepalive has no defined end.
  let isWhole = keepalive !== undefined
  response.flushHeaders()
  try {
    while (!signal.aborted) {
      const next = await untilAborted(signal, source.next())
      if (next?.done) isWhole = true
      if (!next || next.done) break
      if (!response.write(next.value)) await waitForDrain(response, signal, stallTimeoutMs)
    }
  } catch (error) {
    isWhole = false
    onFault(error)
  }
  clearInterval(keepaliveTimer)
  // Not awaited: a source that waits for its next chunk would never return.
  source.return?.().catch(onFault)
  if (isWhole) response.end()
  else response.destroy()
}

interface SendOptions extends StreamTimes {
  readonly signal: AbortSignal
  onFault(error: unknown): void
}

async function waitForDrain(
  response: ServerResponse,
  signal: AbortSignal,
  stallTimeoutMs: number,
): Promise<void> {
  const waiting = new AbortController()
  const either = AbortSignal.any([signal, waiting.signal])
  const drained = once(response, 'drain', { signal: either }).then(() => true)
  const stalled = pause(stallTimeoutMs, false, { signal: either, ref: false })
  try {
    if (!(await Promise.race([drained, stalled]))) response.destroy()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    drained.catch(() => undefined)
    stalled.catch(() => undefined)
    waiting.abort()
  }
}

/** Not a generator, because a generator that awaits its next item cannot be closed. */
function map<From>(source: AsyncIterable<From>, to: (item: From) => string): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => {
      const items = source[Symbol.asyncIterator]()
      return {
        next: async () => {
          const next = await items.next()
          return next.done ? { done: true, value: undefined } : { value: to(next.value) }
        },
        return: async () => {
          await items.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
