import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch'
import { createRetryingFetch } from './fetch-with-retry.ts'
import type { paths } from './paths.ts'

export { ReverieError } from './reverie-error.ts'
export type { paths }

export interface ReverieClientOptions {
  /** Where the daemon answers; this machine's usual address unless said otherwise. */
  readonly baseUrl?: string | undefined
  /** Needed where `auth.mode` asks for one. */
  readonly token?: string | undefined
  /** The agent in whose name this asks. */
  readonly agentId?: string | undefined
  /** The session on whose behalf this asks. */
  readonly sessionKey?: string | undefined
  /** For one call with all its attempts; 30 seconds unless said otherwise, Infinity for endless streams. */
  readonly timeoutMs?: number | undefined
}

/** Each path of docs/http-api.md by its method; `data` is the answer, whatever else throws `ReverieError`. */
export interface ReverieClient {
  readonly GET: Call<'get'>
  readonly POST: Call<'post'>
  readonly PATCH: Call<'patch'>
  readonly DELETE: Call<'delete'>
}

type Call<Method extends 'get' | 'post' | 'patch' | 'delete'> = <
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
  const { GET, POST, PATCH, DELETE } = createClient<paths>({
    baseUrl,
    fetch: createRetryingFetch(timeoutMs),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(agentId && { 'x-svc-agent-id': agentId }),
      ...(sessionKey && { 'x-svc-session-key': sessionKey }),
    },
  })
  return { GET, POST, PATCH, DELETE } as ReverieClient
}
