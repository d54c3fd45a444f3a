import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { type Embedder, EmbeddingFailure, type ModelIdentity, type TextKind } from '../embedder.ts'
import { toUnitVector } from '../vector.ts'
import { findPromptFormat, type PromptFormat, type Protocol } from './protocol.ts'

/** Characters of a text that are sent; above the context of most embedding models. */
const maxTextLength = 8000
const maxReplyBytes = 33_554_432
/** Statuses that reject the text itself. */
const textErrorStatuses = [400, 413, 422]

export interface RemoteNeeds {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly protocol: Protocol
  readonly model: string
  readonly baseUrl: string
  readonly dims: number | undefined
  readonly promptFormat: PromptFormat | undefined
  readonly timeoutMs: number
  /** Read for each call; an error counts as a provider failure. */
  readonly apiKey: () => Promise<string | undefined>
  /** Receives each call that returned vectors. */
  readonly onEmbedded?: (kind: TextKind, tokens: number) => void
}

/** Embeds over HTTP. The address is not part of the identity. */
export function createRemoteEmbedder(needs: RemoteNeeds): Embedder {
  const { protocol, model, baseUrl } = needs
  const closing = new AbortController()
  const request = (texts: readonly string[], signal?: AbortSignal) =>
    postTexts(needs, { texts, signal: anySignal(closing.signal, signal) })
  const { promptFormat = findPromptFormat(model) } = needs
  const cache: { dims?: number } = needs.dims === undefined ? {} : { dims: needs.dims }
  const known = { model, quantisation: 'served', promptFormat: promptFormat.name }
  const identity = async (): Promise<ModelIdentity> => {
    cache.dims ??= (await request(['probe'])).vectors[0]?.length ?? 0
    return { ...known, dims: cache.dims }
  }
  return {
    provider: protocol.provider,
    model,
    baseUrl,
    knownIdentity: known,
    identity,
    concurrency: 4,
    batchSize: 1,
    embed: async ({ texts, kind, signal }) => {
      const { dims } = await identity()
      const inputs = texts.map((text) => promptFormat[kind] + text.slice(0, maxTextLength))
      const { vectors, tokens } = await request(inputs, signal)
      needs.onEmbedded?.(kind, tokens)
      // The provider may have changed its model: query the dimensions again.
      if (needs.dims === undefined && vectors.some(({ length }) => length !== dims))
        delete cache.dims
      return vectors.map((numbers) => {
        const whole = toUnitVector(numbers, dims)
        return whole && { whole, passages: [] }
      })
    },
    close: async () => closing.abort(),
  }
}

interface TextsRequest {
  readonly texts: readonly string[]
  readonly signal: AbortSignal
}

async function postTexts(
  needs: RemoteNeeds,
  { texts, signal }: TextsRequest,
): Promise<{ readonly vectors: readonly number[][]; readonly tokens: number }> {
  const { outbound, protocol, model, baseUrl, dims, timeoutMs } = needs
  const key = await needs.apiKey()
  const reply = await withProviderFailure(signal, () =>
    outbound.fetch(baseUrl.replace(/\/$/, '') + protocol.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(protocol.write({ model, texts, dims })),
      timeoutMs,
      maxBytes: maxReplyBytes,
      signal,
    }),
  )
  if (reply.status !== 200) {
    const kind = textErrorStatuses.includes(reply.status) ? 'text' : 'provider'
    throw new EmbeddingFailure(kind, `the provider returned ${reply.status}`)
  }
  const body = parse(reply.body)
  const vectors = protocol.read(body)
  const tokens = protocol.readTokens?.(body) ?? 0
  if (vectors?.length === texts.length) return { vectors, tokens }
  throw new EmbeddingFailure('provider', 'the reply contains no vectors')
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new EmbeddingFailure('provider', 'the reply is not JSON', { cause })
  }
}

function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined))
}

async function withProviderFailure<Reply>(
  signal: AbortSignal,
  call: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await call()
  } catch (cause) {
    if (signal.aborted) throw new EmbeddingFailure('provider', 'the call was cancelled', { cause })
    if (!(cause instanceof Refusal)) throw cause
    throw new EmbeddingFailure('provider', cause.message, { cause })
  }
}
