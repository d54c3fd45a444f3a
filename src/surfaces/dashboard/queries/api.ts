import { createRetryingFetch } from '../../../client/public/fetch-with-retry.ts'
import { createReverieClient } from '../../../client/public/index.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'

export { ReverieError }

export interface Input {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** A body that is sent unchanged and without a deadline. */
  readonly bytes?: Blob
}

interface Sent extends Input {
  readonly headers: Record<string, string>
  readonly signal?: AbortSignal
  readonly fetch?: (request: Request) => Promise<Response>
  readonly parseAs?: string
}

type Send = (
  path: string,
  init: object,
) => Promise<{
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}>
const methods = createReverieClient({ baseUrl: location.origin }) as unknown as Readonly<
  Record<string, Send>
>

function send(route: string, { path, query, bytes, ...init }: Sent) {
  const [method = '', template = ''] = route.split(' ')
  const request = methods[method]
  if (!request) throw new TypeError(`unknown method: ${route}`)
  const params = { path, query }
  const upload = bytes && {
    body: bytes,
    bodySerializer: (body: Blob) => body,
    fetch: fetchWithoutDeadline,
  }
  return request(template.replaceAll(/:(\w+)/g, '{$1}'), { params, ...init, ...upload })
}

/** Like all calls it throws `ReverieError` for an error status. */
const fetchWithoutDeadline = createRetryingFetch(Number.POSITIVE_INFINITY)

type AskForSignIn = (refusal: unknown) => Promise<void>
const session: {
  csrf?: string | undefined
  agent?: string | undefined
  ask?: AskForSignIn | undefined
} = {}

/** Sets the agent of all calls from now on; undefined is that of the caller. */
export function setAgent(agent: string | undefined): void {
  session.agent = agent
}

/** Sets the value that makes the cookie count; it is held in memory only. */
export function setCsrf(csrf: string | undefined): void {
  session.csrf = csrf
}

/** Sets what asks for a sign-in after a refused call; returns the function that takes it away. */
export function onSignedOut(ask: AskForSignIn): () => void {
  session.ask = ask
  return () => {
    session.ask = undefined
  }
}

function callHeaders(): Record<string, string> {
  return {
    'x-svc-actor': 'dashboard',
    ...(session.agent !== undefined && { 'x-svc-agent-id': session.agent }),
    ...(session.csrf !== undefined && { 'x-svc-csrf': session.csrf }),
  }
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Record<string, string>
}

/**
 * Calls a route. Throws `ReverieError` for each refusal and failure. A call that needs a sign-in
 * waits for it, and is sent once more.
 */
export async function call<Reply>(
  route: string,
  input: Input = {},
  options: CallOptions = {},
): Promise<Reply> {
  return await withSignIn(route, () => callOnce<Reply>(route, input, options))
}

/** Reads a reply of any size, without a deadline. */
export async function readFile(route: string, input: Input): Promise<Blob> {
  const read = async () => {
    const options = { headers: callHeaders(), fetch: fetchWithoutDeadline, parseAs: 'blob' }
    return (await send(route, { ...input, ...options })).data as Blob
  }
  return await withSignIn(route, read)
}

async function withSignIn<Reply>(route: string, run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await run()
  } catch (error) {
    const isSignedOut = error instanceof ReverieError && error.status === 401
    if (!isSignedOut || !session.ask || route.includes('/api/auth/')) throw error
    await session.ask(error)
    return await run()
  }
}

async function callOnce<Reply>(route: string, input: Input, options: CallOptions): Promise<Reply> {
  const headers = { ...callHeaders(), ...options.headers }
  const signal = options.signal ? { signal: options.signal } : {}
  const { data } = await send(route, { ...input, ...signal, headers })
  return data as Reply
}

/** Opens an endless stream. */
export async function openStream(
  route: string,
  input: Input,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  const all = { ...callHeaders(), ...headers }
  const options = { ...input, signal, headers: all, fetch: fetchWithoutDeadline, parseAs: 'stream' }
  return (await send(route, options)).response
}

/** The code of a refusal, or undefined for another fault. */
export function toCode(error: unknown): string | undefined {
  return error instanceof ReverieError ? error.code : undefined
}

export function isUnreachable(error: unknown): boolean {
  return ['unreachable', 'too_slow'].includes(toCode(error) ?? '')
}

/** Identifies the pages that the service has now; undefined when it does not answer or has none. */
export async function readPagesVersion(): Promise<string | undefined> {
  const reply = await fetch('/', { method: 'HEAD' }).catch(() => undefined)
  return reply?.ok ? (reply.headers.get('x-svc-dashboard') ?? undefined) : undefined
}
