import { fetchWithRetry } from './public/fetch-with-retry.ts'
import { toReverieError } from './public/reverie-error.ts'

export interface Address {
  readonly url: string
  readonly token?: string | undefined
  /** The agent in whose name this asks. */
  readonly agentId?: string | undefined
}

type Scalar = string | number | boolean | undefined

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, Scalar>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** For an endless stream: no deadline holds then. */
  readonly signal?: AbortSignal | undefined
}

export interface Transport {
  readonly url: string
  /** The JSON that was answered; throws `ReverieError` for whatever is not a good answer. */
  request<Reply>(path: string, options?: RequestOptions): Promise<Reply>
  /** The reply of any status, before a stream of it is read. */
  open(path: string, options?: RequestOptions): Promise<Response>
}

const defaultTimeoutMs = 30_000

export function createTransport(address: Address): Transport {
  const open = (path: string, options: RequestOptions = {}): Promise<Response> => {
    const { signal, timeoutMs = defaultTimeoutMs } = options
    const request = toRequest(address, path, options)
    return fetchWithRetry(request, signal ? Number.POSITIVE_INFINITY : timeoutMs)
  }
  return {
    url: address.url,
    open,
    request: async <Reply>(path: string, options?: RequestOptions) => {
      const reply = await open(path, options)
      const isJson = reply.headers.get('content-type')?.includes('json')
      if (!reply.ok || !isJson) throw await toReverieError(reply)
      return (await reply.json()) as Reply
    },
  }
}

/** The bytes of a reply that is not JSON, once its status is good. */
export async function streamOf(reply: Response): Promise<ReadableStream<Uint8Array>> {
  if (!reply.ok) throw await toReverieError(reply)
  return reply.body ?? new ReadableStream()
}

function toRequest(
  { url, token, agentId }: Address,
  path: string,
  options: RequestOptions,
): Request {
  const { method = 'GET', query = {}, body, headers, signal } = options
  const target = new URL(path, url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, String(value))
  return new Request(target, {
    ...{ method, signal: signal ?? null },
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(agentId && { 'x-svc-agent-id': agentId }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
