import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch'
import { createRetryingFetch } from './fetch-with-retry.ts'
import type { paths } from './paths.ts'
import { toReverieError } from './reverie-error.ts'

export { ReverieError } from './reverie-error.ts'
export type { paths }

export interface ReverieClientOptions {
  /** The address of the daemon; default: `http://127.0.0.1:3850`. */
  readonly baseUrl?: string | undefined
  /** Required when `auth.mode` requires one. */
  readonly token?: string | undefined
  /** The agent on whose behalf requests are sent. */
  readonly agentId?: string | undefined
  /** The session that requests belong to. */
  readonly sessionKey?: string | undefined
  /** For one call with all its attempts; default: 30,000. Use Infinity for endless streams. */
  readonly timeoutMs?: number | undefined
}

/** Each path of docs/http-api.md by its method. `data` is the reply; everything else throws `ReverieError`. */
export interface ReverieClient {
  readonly GET: Call<'get'>
  readonly POST: Call<'post'>
  readonly PUT: Call<'put'>
  readonly PATCH: Call<'patch'>
  readonly DELETE: Call<'delete'>
}

type Call<Method extends 'get' | 'post' | 'put' | 'patch' | 'delete'> = <
  Path extends ClientPathsWithMethod<Client<paths>, Method>,
  Init extends MaybeOptionalInit<paths[Path], Method>,
>(
  path: Path,
  ...init: undefined extends Init ? [Init?] : [Init]
) => Promise<SuccessReply<FetchResponse<paths[Path][Method] & object, Init, 'application/json'>>>

type SuccessReply<Reply> = Extract<Reply, { readonly data: unknown }>

export function createReverieClient(options: ReverieClientOptions = {}): ReverieClient {
  const { baseUrl = 'http://127.0.0.1:3850', timeoutMs = 30_000 } = options
  const { token, agentId, sessionKey } = options
  const client = createClient<paths>({
    baseUrl,
    fetch: createRetryingFetch(timeoutMs),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(agentId && { 'x-svc-agent-id': agentId }),
      ...(sessionKey && { 'x-svc-session-key': sessionKey }),
    },
  })
  client.use({
    onResponse: async ({ response, options: { parseAs } }) => {
      const isJson = response.headers.get('content-type')?.includes('json')
      if (parseAs === 'json' && !isJson && response.body) throw await toReverieError(response)
    },
  })
  return client as unknown as ReverieClient
}
