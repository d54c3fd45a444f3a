import { defineEvent } from '../../kernel/events/events.ts'

/** Vectors are comparable if their identities are equal; the address is not part of it. */
export interface ModelIdentity {
  readonly model: string
  readonly dims: number
  readonly quantisation: string
  /** Text prefix convention, or `plain`. */
  readonly promptFormat: string
}

export type TextKind = 'document' | 'query'

export interface Embedder {
  /** Name in the configuration. */
  readonly provider: string
  readonly model: string
  /** Default `transformer`. */
  readonly kind?: 'static' | 'transformer'
  /** The cosine of unrelated texts; default 0. */
  baseCosine?(): number | undefined
  /** Null for a model that runs in this process. */
  readonly baseUrl: string | null
  /** The identity without the dimensions, which only the model knows. */
  readonly knownIdentity?: Omit<ModelIdentity, 'dims'>
  /** Maximum number of parallel calls. */
  readonly concurrency: number
  /** Preferred number of texts in one call. */
  readonly batchSize: number
  /** Queries the model if needed. @throws {EmbeddingFailure} */
  identity(): Promise<ModelIdentity>
  /**
   * Returns one unit vector for each text, in order; undefined for a zero vector.
   * @throws {EmbeddingFailure}
   */
  embed(request: EmbedRequest): Promise<readonly (Embedded | undefined)[]>
  /** Embeds a short text synchronously; undefined if that is not possible. */
  embedInline?(text: string): InlineResult | undefined
  /** Describes what a healthy provider cannot do. */
  limitation?(): string | undefined
  /** Closes the circuit breaker. */
  reset?(): void
  /** The configured provider without its fallback. */
  readonly primary?: Embedder
  close(): Promise<void>
}

interface EmbedRequest {
  readonly texts: readonly string[]
  readonly kind: TextKind
  /** Every model accepts a probe; a rejection is a provider failure. */
  readonly isProbe?: boolean
  readonly signal?: AbortSignal | undefined
}

interface InlineResult {
  /** Undefined for a zero vector. */
  readonly embedding: Embedded | undefined
}

export interface Embedded {
  readonly whole: Float32Array
  /** Vectors of the passages of a long text; empty if the model makes none. */
  readonly passages: readonly (Float32Array | undefined)[]
}

/** `text`: the provider rejects this text. `provider`: the provider does not answer. */
export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure'
  readonly kind: 'text' | 'provider'

  constructor(kind: 'text' | 'provider', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export function toIdentity({ model, dims, quantisation, promptFormat }: ModelIdentity): string {
  return [model, dims, quantisation, promptFormat].join('/')
}

/** @throws {EmbeddingFailure} when it does not answer */
export async function probe(embedder: Embedder, signal?: AbortSignal): Promise<void> {
  await embedder.embed({ texts: ['probe'], kind: 'document', isProbe: true, signal })
}

/** A provider outside this process has returned vectors. */
export const textsEmbedded = defineEvent<{
  readonly kind: TextKind
  /** 0 where the provider counts none. */
  readonly tokens: number
}>('embeddings.texts_embedded')
