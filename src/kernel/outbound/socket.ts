import type { LookupFunction, Socket } from 'node:net'
import { Agent, buildConnector, type ErrorEvent, WebSocket } from 'undici'
import { toRefusal } from './call.ts'

/** An open WebSocket. */
export interface OutboundSocket {
  send(text: string): void
  /** Ends the connection, also when the other side does not answer. */
  close(code?: number): void
  /** Resolves with the code of the end, 1006 without one. */
  readonly closed: Promise<number>
}

export interface SocketRequest {
  readonly url: URL
  readonly lookup: LookupFunction
  readonly connectTimeoutMs: number
  /** Maximum size of a message. A larger one ends the connection. */
  readonly maxBytes: number
  readonly onText: (text: string) => void
  readonly signal: AbortSignal
}

/** Connects over an agent of its own, so that no connection outlives its socket. */
export async function openSocket(request: SocketRequest): Promise<OutboundSocket> {
  const { url, signal, onText } = request
  const { agent, destroy, failure } = createAgent(request)
  const socket = new WebSocket(url, { dispatcher: agent })
  const opening = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<number>()
  const end = (code: number) => {
    closed.resolve(code)
    destroy()
  }
  const abort = () => {
    opening.reject(signal.reason)
    end(1006)
  }
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  socket.addEventListener('open', () => opening.resolve())
  socket.addEventListener('error', (event) =>
    opening.reject(toRefusal(failure() ?? withCode(event), url.origin)),
  )
  socket.addEventListener('close', ({ code }) => end(code))
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') onText(data)
  })
  void closed.promise.then(() => signal.removeEventListener('abort', abort))
  try {
    await opening.promise
  } catch (error) {
    end(1006)
    throw error
  }
  return {
    send: (text) => socket.send(text),
    close: (code = 1000) => {
      socket.close(code)
      end(code)
    },
    closed: closed.promise,
  }
}

function createAgent({ lookup, connectTimeoutMs, maxBytes }: SocketRequest) {
  const connect = buildConnector({ lookup, timeout: connectTimeoutMs })
  const sockets = new Set<Socket>()
  const state: { failure?: unknown } = {}
  const agent = new Agent({
    webSocket: { maxPayloadSize: maxBytes },
    headersTimeout: connectTimeoutMs,
    connect: (options, callback) =>
      connect(options, (...result) => {
        const [failure, socket] = result
        state.failure = failure
        if (socket) sockets.add(socket)
        callback(...result)
      }),
  })
  const destroy = () => {
    // A close frame that is queued is still written.
    for (const socket of sockets) socket.destroySoon()
    void agent.destroy()
  }
  return { agent, destroy, failure: () => state.failure }
}

/** The handshake failed. */
const withCode = ({ error }: ErrorEvent) =>
  Object.assign(new Error('The connection failed.', { cause: error }), { code: 'WEBSOCKET' })
