import type { z } from 'zod'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { parseJson } from '../../../kernel/files/read-text.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { sourcesRefusal } from '../refusals.ts'
import { RunFailure, type SyncContext } from './kind.ts'
import { type RemoteNeeds, type RemoteReply, type RemoteRequest, sendToRemote } from './remote.ts'

/** A reply that an item cannot be read from. The run goes on with the next item. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly status: number | undefined
  /** Whether the next run may succeed. */
  readonly isRecoverable: boolean

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
    this.isRecoverable = status === undefined || status >= 500
  }
}

interface ApiOptions {
  /** Name of the origin in messages. */
  readonly label: string
  /** Base of all paths, such as `https://api.site.example/v3`. */
  readonly apiUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** The secret whose value stands in the headers. */
  readonly tokenRef: string | undefined
  readonly waitMsOf?: RemoteRequest['waitMsOf']
  /** Addresses of paths that do not stand below the base. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

export interface ApiReply {
  readonly status: number
  readonly headers: RemoteReply['headers']
  /** Reads the body as JSON of this shape. @throws {RemoteError} */
  parse<Shape extends z.ZodType>(shape: Shape): z.output<Shape>
  text(): string
}

export interface RemoteApi {
  /**
   * Calls a path, or a URL below the base. Returns replies with a status below 300 and those of
   * `accepted`. @throws {RemoteError} @throws {RunFailure} for 401 and 403
   */
  call(target: string, request?: ApiRequest): Promise<ApiReply>
}

interface ApiRequest extends Pick<RemoteRequest, 'method' | 'headers'> {
  /** Sent as JSON. */
  readonly json?: unknown
  readonly accepted?: readonly number[]
}

const maxBytes = 16 * 1_024 * 1_024
const timeoutMs = 30_000

/** A JSON API with a token, which is sent to its own origin alone. */
export function createRemoteApi(
  needs: RemoteNeeds,
  context: SyncContext,
  options: ApiOptions,
): RemoteApi {
  return {
    call: async (target, { json, accepted = [], headers, ...request } = {}) => {
      const url = toApiUrl(options, target)
      const reply = await send(needs, context, {
        ...request,
        url,
        headers: {
          ...options.headers,
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(options.waitMsOf && { waitMsOf: options.waitMsOf }),
        maxBytes,
        timeoutMs,
      })
      if (!accepted.includes(reply.status)) assertAuthorized(options, reply)
      if (reply.status >= 300 && !accepted.includes(reply.status))
        throw new RemoteError(
          `${options.label} replied ${reply.status} to ${new URL(url).pathname}.`,
          reply.status,
        )
      return toApiReply(options, reply)
    },
  }
}

/** A link to another origin never receives the token. */
function toApiUrl({ apiUrl, label, elsewhere = {} }: ApiOptions, target: string): string {
  const other = elsewhere[target]
  if (other !== undefined) return other
  if (target.startsWith('/')) return `${apiUrl.replace(/\/$/, '')}${target}`
  const [url, base] = [URL.parse(target), new URL(apiUrl)]
  const isBelow = url?.origin === base.origin && url.pathname.startsWith(base.pathname)
  if (isBelow && !url.username && !url.password) return url.href
  throw new RemoteError(`${label} names a page of another origin, which is not read.`)
}

async function send(
  needs: RemoteNeeds,
  context: SyncContext,
  request: RemoteRequest & { readonly url: string },
): Promise<RemoteReply> {
  try {
    return await sendToRemote(needs, context, request)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // No request can succeed while the address itself is refused.
    if (error.code === 'outbound_address')
      throw new RunFailure(`${error.message} Add ${new URL(request.url).origin} to outbound.allow.`)
    throw new RemoteError(`${error.code}: ${error.message}`)
  }
}

function assertAuthorized({ label, tokenRef }: ApiOptions, { status }: RemoteReply): void {
  if (status !== 401 && status !== 403) return
  const secret = tokenRef === undefined ? 'a request without a token' : `the secret ${tokenRef}`
  const remedy =
    tokenRef === undefined
      ? 'Store a token with reverie secret put NAME, and add the source with --token NAME.'
      : `Store a valid token with reverie secret put ${tokenRef}, then run reverie source reindex.`
  throw new RunFailure(`unauthorized: ${label} replied ${status} to ${secret}. ${remedy}`, {
    isFinal: true,
  })
}

function toApiReply({ label }: ApiOptions, { status, headers, body }: RemoteReply): ApiReply {
  return {
    status,
    headers,
    text: () => body.toString('utf8'),
    parse: (shape) => {
      const parsed = shape.safeParse(parseJson(body.toString('utf8')))
      if (parsed.success) return parsed.data
      const at = parsed.error.issues[0]?.path.join('.') || 'the document'
      throw new RemoteError(`${label} sent an unknown form of reply, at ${at}.`)
    },
  }
}

const reference = /^[A-Za-z0-9_./:-]{1,256}$/
/** What tokens of the origins look like. A reference is a name that the user chose. */
const rawTokens = [
  /^(?:bot|bearer|token|basic)\b/i,
  /^mfa\./i,
  /^[\w-]{18,}\.[\w-]{4,}\.[\w-]{20,}$/,
  /^(?:gh[a-z]_|github_pat_|glpat-)/i,
  /^(?:secret_[A-Za-z0-9]{20,}|ntn_)/,
]

/** Refuses `raw_token` for anything but the name of a secret. The value is not repeated. */
export function assertTokenRef(tokenRef: string): void {
  const isRaw = rawTokens.some((pattern) => pattern.test(tokenRef))
  if (!reference.test(tokenRef) || isRaw || toCleanText(tokenRef) !== tokenRef)
    throw sourcesRefusal('raw_token')
}
