import { probe } from '../embed-each.ts'
import { type Embedder, EmbeddingFailure } from '../embedder.ts'

/** Who makes no vector with a direction, not even of a probe, is at fault, whatever the texts are. */
export function withDirection(provider: Embedder): Embedder {
  const checked: Embedder = {
    ...provider,
    embed: async (request) => {
      const made = await provider.embed(request)
      if (made.some((one) => one !== undefined)) return made
      if (request.isProbe)
        throw new EmbeddingFailure('provider', 'it answered a vector without direction')
      await probe(checked, request.signal)
      return made
    },
  }
  return checked
}
