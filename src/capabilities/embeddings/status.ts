import { probe } from './embed-each.ts'
import { EmbeddingFailure } from './embedder.ts'
import type { Runtime } from './runtime.ts'

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

const probeTimeoutMs = 2000

export async function readStatus({
  needs,
  registry,
  pendingWork,
}: Runtime): Promise<ProviderStatus> {
  const configured = registry.configured()
  const embedder = configured?.primary ?? configured
  const checkedAt = needs.host.now().toISOString()
  if (!embedder) {
    const error = 'embeddings are disabled: embedding.provider is none'
    return { provider: 'none', model: null, available: false, baseUrl: null, checkedAt, error }
  }
  const { provider, model, baseUrl } = embedder
  const dimensions = registry.models().target?.dims ?? needs.config().dimensions
  const result = await pendingWork.run(probeTimeoutMs, async () => {
    try {
      await probe(embedder, pendingWork.signal)
      const { dims } = await embedder.identity()
      const error = embedder.limitation?.()
      return { available: true, dimensions: dims, ...(error !== undefined && { error }) }
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error
      return { available: false, error: error.message }
    }
  })
  const timedOut = { available: false, error: `no answer within ${probeTimeoutMs} ms` }
  const known = dimensions === undefined ? {} : { dimensions }
  return { provider, model, baseUrl, checkedAt, ...known, ...(result ?? timedOut) }
}
