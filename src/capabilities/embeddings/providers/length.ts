import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'

/** Who has another model now makes nothing for this one. */
export function withLength(provider: Embedder, dims: number): Embedder {
  return {
    ...provider,
    embed: async (request) => {
      const made = await provider.embed(request)
      checkLengths(made, dims)
      return made
    },
  }
}

/** @throws {EmbeddingFailure} */
export function checkLengths(made: readonly (Embedded | undefined)[], dims: number): void {
  const other = made.find((one) => one !== undefined && one.whole.length !== dims)
  if (!other) return
  const message = `the model answered ${other.whole.length} numbers, not ${dims}`
  throw new EmbeddingFailure('provider', message)
}
