import { type Embedder, EmbeddingFailure, type ModelIdentity } from '../embedder.ts'
import type { StoredVectors } from '../stored-vectors.ts'
import { assertDimensions } from './vector-checks.ts'

/**
 * Uses the stored identity while the provider does not answer. A vector of another length discards
 * the assumption, and the provider is queried again.
 */
export function withCachedIdentity(provider: Embedder, stored: StoredVectors): Embedder {
  const state: { assumed?: ModelIdentity } = {}
  const findStored = async (): Promise<ModelIdentity | undefined> => {
    const { knownIdentity } = provider
    const identity = knownIdentity && (await stored.findIdentity(knownIdentity))
    if (identity) state.assumed = identity
    return identity
  }
  return {
    ...provider,
    identity: async () => {
      if (state.assumed) return state.assumed
      try {
        return await provider.identity()
      } catch (error) {
        const identity = error instanceof EmbeddingFailure ? await findStored() : undefined
        if (!identity) throw error
        return identity
      }
    },
    embed: async (request) => {
      const embeddings = await provider.embed(request)
      try {
        if (state.assumed) assertDimensions(embeddings, state.assumed.dims)
        return embeddings
      } catch (error) {
        delete state.assumed
        throw error
      }
    },
  }
}
