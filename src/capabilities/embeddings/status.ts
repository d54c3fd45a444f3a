import { probe } from './embed-each.ts'
import { EmbeddingFailure } from './embedder.ts'
import type { Runtime } from './runtime.ts'

/** Whether the provider answers. */
export interface ProviderStatus {
  readonly provider: string
  readonly model: string | null
  readonly available: boolean
  readonly dimensions?: number
  readonly baseUrl: string | null
  /** ISO. */
  readonly checkedAt: string
  readonly error?: string
}

const answersWithinMs = 2000

export async function readStatus({ needs, makers, underWay }: Runtime): Promise<ProviderStatus> {
  const configured = makers.configured()
  const embedder = configured?.itself ?? configured
  const checkedAt = needs.host.now().toISOString()
  if (!embedder) {
    const error = 'embeddings are disabled: embedding.provider is none'
    return { provider: 'none', model: null, available: false, baseUrl: null, checkedAt, error }
  }
  const { provider, model, baseUrl } = embedder
  const dimensions = makers.models().target?.dims ?? needs.config().dimensions
  const found = await underWay.within(answersWithinMs, async () => {
    try {
      await probe(embedder, underWay.signal)
      const { dims } = await embedder.identity()
      const error = embedder.lacks?.()
      return { available: true, dimensions: dims, ...(error !== undefined && { error }) }
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error
      return { available: false, error: error.message }
    }
  })
  const late = { available: false, error: `no answer within ${answersWithinMs} ms` }
  const known = dimensions === undefined ? {} : { dimensions }
  return { provider, model, baseUrl, checkedAt, ...known, ...(found ?? late) }
}
