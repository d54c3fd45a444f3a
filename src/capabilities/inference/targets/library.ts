import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { TargetCall } from './target.ts'

/** A model library: one provider protocol. */
export interface ModelLibrary {
  createModel(connection: Connection, call: TargetCall): LanguageModelV4
  /** Options of this provider alone. */
  readonly providerOptions?: (call: TargetCall) => ProviderOptions
  /** The provider refuses a system message after another message. */
  readonly systemFirst?: boolean
  /** The provider ignores the choice of a tool: `none` sends no tools. */
  readonly ignoresToolChoice?: boolean
  /** Wraps the body of a streamed reply. */
  readonly wrapStream?: (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>
}

type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

interface Connection {
  readonly baseUrl: string
  /** Empty without a credential, so that the library reads no environment variable. */
  readonly credential: string
  readonly fetch: typeof fetch
}
