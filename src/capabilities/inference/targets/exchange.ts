import { createFetch } from '../../../kernel/outbound/create-fetch.ts'
import { readHttpError, toTargetError } from './errors.ts'
import type { ModelLibrary } from './library.ts'
import { type TargetCall, TargetError, type TargetNeeds } from './target.ts'

/** The connection of one call. */
export interface Exchange {
  readonly fetch: typeof fetch
  /** The first failure of the connection, or else the one that the library threw. */
  toError(error: unknown): TargetError
  /** Closes the connection. */
  close(): void
}

export interface ExchangeOptions {
  readonly needs: Pick<TargetNeeds, 'host' | 'outbound' | 'settings'>
  readonly baseUrl: string
  readonly library: ModelLibrary
  readonly call: TargetCall
}

/** The signal of the call ends it earlier. */
const maxCallMs = 3_600_000

export function createExchange(options: ExchangeOptions): Exchange {
  const { needs, baseUrl, call, library } = options
  const closed = new AbortController()
  const signal = AbortSignal.any([call.signal, closed.signal])
  const { origin } = new URL(baseUrl)
  const firstByte = watchFirstByte(needs.host, call.limits.firstByteMs, closed)
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    return error
  }
  const send = createFetch({
    outbound: needs.outbound,
    origin,
    allowLoopback: true,
    maxBytes: call.limits.maxReplyBytes,
    timeoutMs: maxCallMs,
    idleMs: call.limits.idleMs,
  })
  return {
    fetch: async (input, init) => {
      try {
        const response = await send(input, { ...init, headers: usedHeaders(init?.headers), signal })
        if (!response.ok) throw await readHttpError(response)
        return wrapStream(watchBody(response, { onChunk: firstByte.stop, fail }), library)
      } catch (error) {
        throw fail(error)
      }
    },
    toError: (error) =>
      call.signal.aborted
        ? new TargetError('The call was aborted.', { kind: 'aborted' })
        : toTargetError(failure ?? error, { targetId: needs.settings.id, origin }),
    close: () => {
      firstByte.stop()
      closed.abort()
    },
  }
}

/** An empty credential is not sent. */
function usedHeaders(headers: RequestInit['headers']): Headers {
  const requestHeaders = new Headers(headers)
  for (const name of ['x-api-key', 'x-goog-api-key'])
    if (!requestHeaders.get(name)) requestHeaders.delete(name)
  if (/^Bearer\s*$/i.test(requestHeaders.get('authorization') ?? ''))
    requestHeaders.delete('authorization')
  return requestHeaders
}

function watchFirstByte(
  host: TargetNeeds['host'],
  limitMs: number,
  closeController: AbortController,
) {
  const stopped = new AbortController()
  void host.sleep(limitMs, stopped.signal).then(() => {
    if (stopped.signal.aborted) return
    closeController.abort(new TargetError(`No reply within ${limitMs} ms.`, { kind: 'timeout' }))
  })
  return { stop: () => stopped.abort() }
}

interface BodyWatch {
  readonly onChunk: () => void
  readonly fail: (error: unknown) => unknown
}

/** Reads on demand, so that a slow reader slows the provider. */
function watchBody(response: Response, { onChunk, fail }: BodyWatch): Response {
  if (!response.body) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          onChunk()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(fail(error))
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, headers: response.headers })
}

function wrapStream(response: Response, { wrapStream: wrap }: ModelLibrary): Response {
  const { body, status, headers } = response
  const isWhole = /^application\/json\b/.test(headers.get('content-type') ?? '')
  return wrap && body && !isWhole ? new Response(wrap(body), { status, headers }) : response
}
