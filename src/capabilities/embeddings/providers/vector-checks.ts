import { probe } from '../embed-each.ts'
import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'

/** A provider that returns zero vectors even for a probe is failing, not the texts. */
export function withDirectionCheck(provider: Embedder): Embedder {
  const checked: Embedder = {
    ...provider,
    embed: async (request) => {
      const embeddings = await provider.embed(request)
      if (embeddings.some((embedding) => embedding !== undefined)) return embeddings
      if (request.isProbe)
        throw new EmbeddingFailure('provider', 'the provider returned a zero vector')
      await probe(checked, request.signal)
      return embeddings
    },
  }
  return checked
}

/** Rejects vectors of another length: the provider has changed its model. */
export function withDimensionCheck(provider: Embedder, dims: number): Embedder {
  return {
    ...provider,
    embed: async (request) => {
      const embeddings = await provider.embed(request)
      assertDimensions(embeddings, dims)
      return embeddings
    },
  }
}

/** @throws {EmbeddingFailure} */
export function assertDimensions(
  embeddings: readonly (Embedded | undefined)[],
  dims: number,
): void {
  const mismatch = embeddings.find(
    (embedding) => embedding !== undefined && embedding.whole.length !== dims,
  )
  if (!mismatch) return
  const message = `the model returned ${mismatch.whole.length} dimensions, not ${dims}`
  throw new EmbeddingFailure('provider', message)
}
