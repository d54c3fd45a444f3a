import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { type Embedder, EmbeddingFailure, type ModelIdentity } from '../embedder.ts'
import { toUnitVector } from '../vector.ts'
import { findPromptFormat, type PromptFormat } from './prompt-format.ts'
import type { Protocol } from './protocol.ts'

/** Of a text, in characters: what models of this sort read, and more than most of them do. */
const longestText = 8000
const mostBytes = 33_554_432
/** The other side has read it and will never do it. */
const refusedTexts = [400, 413, 422]

export interface RemoteNeeds {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly protocol: Protocol
  readonly model: string
  readonly baseUrl: string
  readonly dims: number | undefined
  readonly promptFormat: PromptFormat | undefined
  readonly timeoutMs: number
  /** Asked for at each call: its refusal is told as the provider's failure. */
  readonly apiKey: () => Promise<string | undefined>
}

/** A model behind an address. Which one that is, is no part of what it makes. */
export function createRemoteEmbedder(needs: RemoteNeeds): Embedder {
  const { protocol, model, baseUrl } = needs
  const closing = new AbortController()
  const ask = (texts: readonly string[], signal?: AbortSignal) =>
    askServer(needs, { texts, signal: endingWith(closing.signal, signal) })
  const { promptFormat = findPromptFormat(model) } = needs
  const learned: { dims?: number } = needs.dims === undefined ? {} : { dims: needs.dims }
  const known = { model, quantisation: 'served', promptFormat: promptFormat.name }
  const identity = async (): Promise<ModelIdentity> => {
    learned.dims ??= (await ask(['probe']))[0]?.length ?? 0
    return { ...known, dims: learned.dims }
  }
  return {
    ...{ provider: protocol.provider, model, baseUrl, known, identity },
    ...{ atOnce: 4, batchSize: 1 },
    embed: async ({ texts, kind, signal }) => {
      const { dims } = await identity()
      const written = texts.map((text) => promptFormat[kind] + text.slice(0, longestText))
      const answered = await ask(written, signal)
      // Another model may be there now: it is asked anew.
      if (needs.dims === undefined && answered.some(({ length }) => length !== dims))
        delete learned.dims
      return answered.map((numbers) => {
        const whole = toUnitVector(numbers, dims)
        return whole && { whole, passages: [] }
      })
    },
    close: async () => closing.abort(),
  }
}

interface Asked {
  readonly texts: readonly string[]
  readonly signal: AbortSignal
}

async function askServer(
  needs: RemoteNeeds,
  { texts, signal }: Asked,
): Promise<readonly number[][]> {
  const { outbound, protocol, model, baseUrl, dims, timeoutMs } = needs
  const key = await needs.apiKey()
  const reply = await orFailure(signal, () =>
    outbound.fetch(baseUrl.replace(/\/$/, '') + protocol.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(protocol.write({ model, texts, dims })),
      ...{ timeoutMs, maxBytes: mostBytes },
      signal,
    }),
  )
  if (reply.status !== 200) {
    const kind = refusedTexts.includes(reply.status) ? 'text' : 'provider'
    throw new EmbeddingFailure(kind, `it answered ${reply.status}`)
  }
  const vectors = protocol.read(parse(reply.body))
  if (vectors?.length === texts.length) return vectors
  throw new EmbeddingFailure('provider', 'it answered something else than vectors')
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new EmbeddingFailure('provider', 'it answered what is no JSON', { cause })
  }
}

function endingWith(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined))
}

async function orFailure<Reply>(signal: AbortSignal, call: () => Promise<Reply>): Promise<Reply> {
  try {
    return await call()
  } catch (cause) {
    if (signal.aborted) throw new EmbeddingFailure('provider', 'nobody waits any more', { cause })
    if (!(cause instanceof Refusal)) throw cause
    throw new EmbeddingFailure('provider', cause.message, { cause })
  }
}
