import type { FakeOrigin } from './fake-origin.ts'
import { type ServerSocket, serveWebSockets } from './fake-websocket.ts'

interface GatewayMessage {
  readonly op: number
  readonly d?: unknown
}

/** The gateway of a chat: hello, identify, resume, heartbeats and events (version 10). */
export interface FakeGateway {
  /** What the clients have sent, without heartbeats. */
  readonly received: readonly GatewayMessage[]
  readonly heartbeats: readonly unknown[]
  /** Sends an event to the clients; one that is away gets it when it resumes. */
  emit(type: string, data: object): void
  /** Sends a message of this code to the clients. */
  send(op: number, d?: unknown): void
  /** Ends the connections, without a code like a lost network. */
  end(code?: number): void
  /** Sessions cannot be resumed any more. */
  forgetSessions(): void
  /** Leaves heartbeats without an answer. */
  mute(): void
  /** The address that a client shall resume at; by default this one. */
  resumeUrl?: string
  /** Closes the next session with this code. */
  refusal?: number
}

const heartbeatMs = 41_250

export function serveGateway({ server, url }: Pick<FakeOrigin, 'server' | 'url'>, token: string) {
  const received: GatewayMessage[] = []
  const heartbeats: unknown[] = []
  const open = new Set<ServerSocket>()
  const events: object[] = []
  const sessions = new Set<string>()
  const state = { isMute: false }
  const gateway: FakeGateway = {
    received,
    heartbeats,
    emit: (t, d) => {
      const event = { op: 0, s: events.length + 1, t, d }
      events.push(event)
      for (const socket of open) socket.send(event)
    },
    send: (op, d = null) => {
      for (const socket of open) socket.send({ op, d })
    },
    end: (code) => {
      for (const socket of open) code === undefined ? socket.cut() : socket.close(code)
      open.clear()
    },
    forgetSessions: () => sessions.clear(),
    mute: () => {
      state.isMute = true
    },
  }
  const start = (socket: ServerSocket) => {
    const session = `session-${sessions.size}`
    sessions.add(session)
    open.add(socket)
    const own = url.replace(/^http/, 'ws')
    gateway.resumeUrl ??= own
    gateway.emit('READY', { session_id: session, resume_gateway_url: gateway.resumeUrl })
  }
  const identify = (socket: ServerSocket, { token: sent }: { readonly token?: unknown }) => {
    const code = sent === token ? gateway.refusal : 4_004
    if (code === undefined) return start(socket)
    delete gateway.refusal
    socket.close(code)
  }
  const resume = (socket: ServerSocket, data: { session_id?: string; seq?: number }) => {
    state.isMute = false
    if (!sessions.has(data.session_id ?? '')) return socket.send({ op: 9, d: false })
    for (const event of events.slice(data.seq)) socket.send(event)
    open.add(socket)
    socket.send({ op: 0, s: events.length, t: 'RESUMED', d: {} })
  }
  serveWebSockets(server, {
    onOpen: (socket) => socket.send({ op: 10, d: { heartbeat_interval: heartbeatMs } }),
    onMessage: (socket, message) => {
      const { op, d } = Object(message)
      if (op === 1) {
        heartbeats.push(d)
        if (!state.isMute) socket.send({ op: 11 })
        return
      }
      received.push({ op, d })
      if (op === 2) identify(socket, Object(d))
      if (op === 6) resume(socket, Object(d))
    },
  })
  return gateway
}
