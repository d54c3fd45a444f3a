import { type Embedder, EmbeddingFailure, type ModelIdentity } from '../embedder.ts'
import type { KeptVectors } from '../kept-vectors.ts'
import { checkLengths } from './length.ts'

/**
 * A provider that cannot be asked what it makes is taken for what is kept of it, until it answers
 * something else: then it is asked again.
 */
export function withKeptIdentity(provider: Embedder, kept: KeptVectors): Embedder {
  const state: { assumed?: ModelIdentity } = {}
  const findKept = async (): Promise<ModelIdentity | undefined> => {
    const found = provider.known && (await kept.findIdentity(provider.known))
    if (found) state.assumed = found
    return found
  }
  return {
    ...provider,
    identity: async () => {
      if (state.assumed) return state.assumed
      try {
        return await provider.identity()
      } catch (error) {
        const found = error instanceof EmbeddingFailure ? await findKept() : undefined
        if (!found) throw error
        return found
      }
    },
    embed: async (request) => {
      const made = await provider.embed(request)
      try {
        if (state.assumed) checkLengths(made, state.assumed.dims)
        return made
      } catch (error) {
        delete state.assumed
        throw error
      }
    },
  }
}
