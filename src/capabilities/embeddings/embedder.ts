/** What makes two vectors comparable; where the model runs is no part of it. */
export interface ModelIdentity {
  readonly model: string
  readonly dims: number
  readonly quantisation: string
  /** What is put before a text: `plain`, or the name of a convention. */
  readonly promptFormat: string
}

type TextKind = 'document' | 'query'

/** One way to make vectors. */
export interface Embedder {
  /** As the configuration names it. */
  readonly provider: string
  readonly model: string
  /** Null where nothing is asked over the network. */
  readonly baseUrl: string | null
  /** Its identity but for the dimensions, where those are asked of the model. */
  readonly known?: Omit<ModelIdentity, 'dims'>
  /** How many calls it bears at once. */
  readonly atOnce: number
  /** How many texts are worth a call of their own. */
  readonly batchSize: number
  /** Asks the model where nothing else tells. @throws {EmbeddingFailure} */
  identity(): Promise<ModelIdentity>
  /**
   * One answer for each text, in their order: of unit length, with as many numbers as the identity
   * says, or undefined for a text that has no direction. @throws {EmbeddingFailure}
   */
  embed(request: EmbedRequest): Promise<readonly (Embedded | undefined)[]>
  /** A text that takes no time, if it can; undefined for one that would have to wait. */
  embedAtOnce?(text: string): AtOnce | undefined
  /** What it does without, though it answers. */
  lacks?(): string | undefined
  /** Forgets that it failed, where it would be left alone for that. */
  tryAgain?(): void
  /** The configured one alone, where another may stand in for it. */
  readonly itself?: Embedder
  close(): Promise<void>
}

interface EmbedRequest {
  readonly texts: readonly string[]
  readonly kind: TextKind
  /** Any model makes something of it: whoever refuses it refuses everything. */
  readonly isProbe?: boolean
  readonly signal?: AbortSignal | undefined
}

interface AtOnce {
  /** Undefined for a text that has no direction. */
  readonly made: Embedded | undefined
}

export interface Embedded {
  readonly whole: Float32Array
  /** Of the parts of a longer text, where that costs little; empty otherwise. */
  readonly passages: readonly (Float32Array | undefined)[]
}

/** `text`: this text will never do. `provider`: nothing will, for now. */
export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure'
  readonly kind: 'text' | 'provider'

  constructor(kind: 'text' | 'provider', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Short, and the same for all who use the model in the same way. */
export function toIdentity({ model, dims, quantisation, promptFormat }: ModelIdentity): string {
  return [model, dims, quantisation, promptFormat].join('/')
}
