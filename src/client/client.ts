import { createRetryingFetch, fetchWithRetry } from './public/fetch-with-retry.ts'
import { createReverieClient } from './public/index.ts'
import { ReverieError } from './public/reverie-error.ts'
import type { MemoryPage, Ready, Replies } from './wire.ts'

export interface Address {
  readonly url: string
  readonly token?: string | undefined
  /** The agent on whose behalf requests are sent. */
  readonly agentId?: string | undefined
  /** The program that sends the requests; absent for a program of others. */
  readonly surface?: 'cli' | undefined
}

interface Input {
  readonly path?: Readonly<Record<string, unknown>>
  /** Undefined values are omitted. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** A body that is sent as it is. */
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** For an endless stream, which has no deadline. */
  readonly signal?: AbortSignal
}

type ReplyOf<Route extends string> = Route extends keyof Replies ? Replies[Route] : unknown

/** The public client, by the names of the route table. */
export interface Client {
  readonly url: string
  /** The JSON reply of a route such as `GET /api/agents/:name`; throws `ReverieError`. */
  call<Route extends keyof Replies | (string & {})>(
    route: Route,
    input?: Input,
  ): Promise<ReplyOf<Route>>
  /** The reply of any status, before its body is read. */
  open(route: string, input: Input): Promise<Response>
}

type Send = (path: string, init: object) => Promise<CallResult>

interface CallResult {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

export function createClient({ url, token, agentId, surface }: Address): Client {
  const methods = createReverieClient({ baseUrl: url, token, agentId }) as unknown as Readonly<
    Record<string, Send>
  >
  const send = (route: string, { path, query, bytes, headers, ...init }: Input) => {
    const [method = '', template = ''] = route.split(' ')
    const request = methods[method]
    if (!request) throw new TypeError(`unknown method: ${route}`)
    return request(template.replaceAll(/:(\w+)/g, '{$1}'), {
      params: { path, query },
      ...init,
      headers: { ...(surface && { 'x-svc-surface': surface }), ...headers },
      ...(bytes && { body: bytes, bodySerializer: (body: Uint8Array) => body }),
    })
  }
  return {
    url,
    call: async <Route extends string>(route: Route, { timeoutMs, ...input }: Input = {}) => {
      const fetch = timeoutMs === undefined ? {} : { fetch: createRetryingFetch(timeoutMs) }
      return (await send(route, { ...input, ...fetch })).data as ReplyOf<Route>
    },
    open: async (route, input) => {
      const fetch = (request: Request) => fetchWithRetry(request, Number.POSITIVE_INFINITY)
      const options = { ...input, fetch, parseAs: 'stream' }
      const { error, response } = await send(route, options)
      // The library has read the body of an error.
      return error === undefined ? response : new Response(JSON.stringify(error), response)
    },
  }
}

/** The readiness report, which a daemon that is not ready sends with 503. */
export async function readReady({ call }: Client, timeoutMs: number): Promise<Ready> {
  try {
    return await call('GET /health/ready', { timeoutMs })
  } catch (error) {
    const isReport = error instanceof ReverieError && error.status === 503
    if (isReport && error.code !== 'not_reverie') return error.details as unknown as Ready
    throw error
  }
}

/** A page of memories; one that could not be read arrives as an empty one with an error. */
export async function readMemories({ call }: Client, query: object): Promise<MemoryPage> {
  const { error, ...page } = await call('GET /api/memories', { query: { ...query } })
  if (error !== undefined) throw new ReverieError({ code: 'internal', message: error })
  return page
}
