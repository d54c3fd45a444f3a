import { z } from 'zod'
import { Refusal } from '../../../../kernel/errors/refusal.ts'
import type { Host } from '../../../../kernel/host/host.ts'
import type { Outbound } from '../../../../kernel/outbound/outbound.ts'
import type { OutboundSocket } from '../../../../kernel/outbound/socket.ts'
import { RunFailure } from '../kind.ts'
import { RemoteError } from '../remote-api.ts'

interface GatewayNeeds {
  readonly host: Host
  readonly outbound: Pick<Outbound, 'connect'>
  /** `outbound.allow` */
  readonly allowedOrigins: () => readonly string[]
}

export interface GatewayRun {
  /** The address of a new session. */
  readonly findUrl: () => Promise<string>
  readonly token: string
  /** The secret of the token. */
  readonly tokenRef: string
  readonly intents: number
  /** A new session has begun: what happened before must be read by other means. */
  readonly onSession: () => void
  readonly onEvent: (type: string, data: unknown) => void
  readonly signal: AbortSignal
}

interface Session {
  readonly id: string
  readonly url: string
}

interface State {
  session?: Session | undefined
  /** The number of the last event. */
  sequence: number | null
  /** Failed connections in a row. */
  failures: number
}

const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  acknowledge: 11,
} as const

const payload = z.object({
  op: z.int(),
  d: z.unknown().optional(),
  s: z.int().nullish(),
  t: z.string().nullish(),
})
type Payload = z.output<typeof payload>
const hello = z.object({ heartbeat_interval: z.number().min(100).max(600_000) })
const ready = z.object({ session_id: z.string(), resume_gateway_url: z.string().optional() })

const version = '?v=10&encoding=json'
const maxMessageBytes = 16 * 1_024 * 1_024
const helloTimeoutMs = 20_000
const baseDelayMs = 1_000
const maxDelayMs = 60_000
/** After these a new session is begun. */
const maxFailuresOfSession = 3
/** A code of ours: 1000 and 1001 would end the session. */
const resumable = 4_000
const endsSession = new Set([1_000, 1_001, 4_007, 4_009])
const refusedToken = 4_004
/** Codes after which a new connection fails too. */
const refusedSettings: Readonly<Record<number, string>> = {
  4010: 'The shard is invalid.',
  4011: 'The bot is in too many servers for one connection.',
  4012: 'The version of the gateway is no longer served.',
  4013: 'The intents are invalid.',
  4014: 'Switch on the intents for message content and server members in the settings of the bot.',
}

/** Follows the events of a bot until the signal aborts. Connects again after each end. */
export async function followGateway(needs: GatewayNeeds, run: GatewayRun): Promise<void> {
  const state: State = { sequence: null, failures: 0 }
  while (!run.signal.aborted) {
    const code = await connectOnce(needs, run, state)
    if (run.signal.aborted) return
    assertRepeatable(run, code)
    state.failures += 1
    if (endsSession.has(code) || state.failures >= maxFailuresOfSession) dropSession(state)
    await needs.host.sleep(delayMsOf(state.failures, needs.host), run.signal)
  }
}

function delayMsOf(failures: number, { random }: Host): number {
  return Math.min(maxDelayMs, baseDelayMs * 2 ** (failures - 1)) * (1 + random())
}

function assertRepeatable({ tokenRef }: GatewayRun, code: number): void {
  if (code === refusedToken)
    throw new RunFailure(
      `unauthorized: The gateway refused the secret ${tokenRef}. Store a valid token with reverie secret put ${tokenRef}, then run reverie source reindex.`,
      { isFinal: true },
    )
  const reason = refusedSettings[code]
  if (reason !== undefined)
    throw new RunFailure(`The gateway closed with ${code}. ${reason}`, { isFinal: true })
}

function dropSession(state: State): void {
  state.session = undefined
  state.sequence = null
}

/** Returns the code with which the connection ended. */
async function connectOnce(needs: GatewayNeeds, run: GatewayRun, state: State): Promise<number> {
  const received: string[] = []
  const handler = {
    onText: (text: string) => {
      received.push(text)
    },
  }
  const ended = new AbortController()
  const signal = AbortSignal.any([run.signal, ended.signal])
  try {
    const base = state.session?.url ?? (await run.findUrl())
    const url = toGatewayUrl(base, needs.allowedOrigins())
    const socket = await needs.outbound.connect(url, {
      maxBytes: maxMessageBytes,
      signal: run.signal,
      onText: (text) => handler.onText(text),
    })
    const connection = createConnection(needs, { ...run, signal }, { state, socket })
    handler.onText = connection.receive
    for (const text of received) connection.receive(text)
    return await socket.closed
  } catch (error) {
    if (error instanceof Refusal && error.code === 'outbound_address')
      throw new RunFailure(`${error.message} See outbound.allow.`)
    if (error instanceof Refusal || error instanceof RemoteError || run.signal.aborted) return 1_006
    throw error
  } finally {
    ended.abort()
  }
}

/** The token goes to hosts of the service, and to origins that the user allows. */
function toGatewayUrl(base: string, allowed: readonly string[]): string {
  const url = URL.parse(base)
  const origin = `${url?.protocol.replace(/^ws/, 'http')}//${url?.host}`
  const isOwn = url?.protocol === 'wss:' && /(?:^|\.)discord\.gg$/.test(url.hostname)
  if (url && (isOwn || allowed.includes(origin)))
    return `${origin.replace(/^http/, 'ws')}${url.pathname}${version}`
  throw new RunFailure('The chat names a gateway of another host, which is not called.')
}

interface Link {
  readonly state: State
  readonly socket: OutboundSocket
}

/** The protocol of one connection: heartbeats, the begin of a session, and events. */
function createConnection({ host }: GatewayNeeds, run: GatewayRun, { state, socket }: Link) {
  const beats = { isAcknowledged: true, isStarted: false }
  const send = (code: number, data: unknown) => socket.send(JSON.stringify({ op: code, d: data }))
  const beat = () => send(op.heartbeat, state.sequence)
  const keepAlive = async (intervalMs: number) => {
    await host.sleep(intervalMs * host.random(), run.signal)
    while (!run.signal.aborted) {
      // Without an answer the other side is gone.
      if (!beats.isAcknowledged) return socket.close(resumable)
      beats.isAcknowledged = false
      beat()
      await host.sleep(intervalMs, run.signal)
    }
  }
  const begin = (data: unknown) => {
    beats.isStarted = true
    void keepAlive(hello.parse(data).heartbeat_interval)
    const { session, sequence: seq } = state
    if (session) send(op.resume, { token: run.token, session_id: session.id, seq })
    else send(op.identify, toIdentity(run))
  }
  const handlers: Readonly<Record<number, (received: Payload) => void>> = {
    [op.hello]: ({ d }) => begin(d),
    [op.heartbeat]: beat,
    [op.acknowledge]: () => {
      beats.isAcknowledged = true
    },
    [op.reconnect]: () => socket.close(resumable),
    [op.invalidSession]: ({ d }) => {
      if (d !== true) dropSession(state)
      socket.close(resumable)
    },
    [op.dispatch]: (received) => dispatch(run, state, received),
  }
  void host.sleep(helloTimeoutMs, run.signal).then(() => {
    if (!beats.isStarted) socket.close(resumable)
  })
  return {
    receive: (text: string) => {
      try {
        const received = payload.parse(JSON.parse(text))
        handlers[received.op]?.(received)
      } catch (error) {
        if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error
        // What follows an unreadable message is unknown.
        dropSession(state)
        socket.close(resumable)
      }
    },
  }
}

const toIdentity = ({ token, intents }: GatewayRun) => ({
  token,
  intents,
  properties: { os: process.platform, browser: 'svc', device: 'svc' },
})

function dispatch(run: GatewayRun, state: State, { s, t, d }: Payload): void {
  state.sequence = s ?? state.sequence
  if (t === 'READY') {
    const { session_id: id, resume_gateway_url: url } = ready.parse(d)
    state.session = url === undefined ? undefined : { id, url }
    state.failures = 0
    run.onSession()
  } else if (t === 'RESUMED') state.failures = 0
  else if (t) run.onEvent(t, d)
}
