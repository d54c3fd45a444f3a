import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusal.ts'

/** The body of a route that accepts bytes. Its operation reads it, once. */
export interface ByteBody {
  /** The declared length; undefined if the client sends chunks without a length. */
  readonly length: number | undefined
  /** The parts in the order of their arrival. Refuses a body above the limit of the route. */
  parts(): AsyncIterable<Buffer>
  /** The whole body; undefined if it is longer than this. */
  read(maxBytes: number): Promise<Buffer | undefined>
}

/** Bytes; the default of routes that name no limit. */
const defaultBodyLimit = 1_048_576
/** How long the service discards the rest of a body, so that the client can read the reply. */
const drainTimeoutMs = 1000

export const noBytes: ByteBody = {
  length: 0,
  parts: async function* () {
    // Nothing was sent.
  },
  read: async () => Buffer.alloc(0),
}

/** Leaves bodies of any content type to the operation. */
export function acceptBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, _body, done) => {
    assertNotEncoded(request)
    done(null, undefined)
  })
}

export function assertNotEncoded({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return
  const message = 'The body has a Content-Encoding. Send it uncompressed, without this header.'
  throw new Refusal('unsupported', 'unsupported_encoding', message)
}

export function toByteBody(raw: IncomingMessage, bodyLimit = defaultBodyLimit): ByteBody {
  const length = readLength(raw)
  async function* parts() {
    if (length !== undefined && length > bodyLimit) throw bodyTooLarge(bodyLimit)
    let size = 0
    // A destroyed request would close the connection before the reply.
    for await (const part of raw.iterator({ destroyOnReturn: false })) {
      size += part.length
      if (size > bodyLimit) throw bodyTooLarge(bodyLimit)
      yield part as Buffer
    }
  }
  return {
    length,
    parts,
    read: async (maxBytes) => {
      if (length !== undefined && length > maxBytes) return undefined
      const read: Buffer[] = []
      let size = 0
      for await (const part of parts()) {
        size += part.length
        if (size > maxBytes) return undefined
        read.push(part)
      }
      return Buffer.concat(read, size)
    },
  }
}

/** Discards unread bytes, because most clients send the whole body before they read the reply. */
export async function drainBody(raw: IncomingMessage, response: ServerResponse): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return
  const timeout = new AbortController()
  const ended = new Promise<void>((resolve) => raw.once('end', resolve).once('close', resolve))
  raw.on('data', () => undefined)
  const late = pause(drainTimeoutMs, undefined, { signal: timeout.signal, ref: false })
  await Promise.race([ended, late])
  late.catch(() => undefined)
  timeout.abort()
  if (!raw.readableEnded && !response.headersSent) response.setHeader('connection', 'close')
}

function readLength({ headers }: IncomingMessage): number | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (length !== undefined) return Number(length)
  return encoding === undefined ? 0 : undefined
}

export function bodyTooLarge(limit: number): Refusal {
  return new Refusal(
    'too_large',
    'body_too_large',
    `The body has more than ${limit} bytes. Send less in one request.`,
  )
}
