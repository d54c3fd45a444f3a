import { type Embedded, type Embedder, EmbeddingFailure, type ModelIdentity } from '../embedder.ts'
import type { KeptVectors } from '../kept-vectors.ts'

/** A provider that cannot be asked what it makes is taken for what is kept of it, and held to that. */
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
      if (state.assumed) checkLengths(made, state.assumed)
      return made
    },
  }
}

function checkLengths(made: readonly (Embedded | undefined)[], { dims }: ModelIdentity): void {
  const other = made.find((one) => one !== undefined && one.whole.length !== dims)
  if (!other) return
  const message = `the model answered ${other.whole.length} numbers, not ${dims}`
  throw new EmbeddingFailure('provider', message)
}
