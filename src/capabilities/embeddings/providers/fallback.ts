import { memoize } from '../cache.ts'
import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'
import type { Sample, StoredVectors } from '../stored-vectors.ts'

/** Cosine. The same model with another quantisation exceeds this value.  */
const minSimilarity = 0.99

type Request = Parameters<Embedder['embed']>[0]

/** Results about the fallback runtimes of one provider. */
interface FallbackState {
  /** A text that the provider has embedded since start. */
  sample?: Sample
  /** Whether a runtime makes the same vectors, by runtime name. */
  readonly matching: Map<string, Promise<boolean>>
}

export function createFallbackState(): FallbackState {
  return { matching: new Map() }
}

interface FallbackOptions {
  readonly runtimes: readonly Embedder[]
  readonly state: FallbackState
  readonly stored: Pick<StoredVectors, 'findSample'>
}

/**
 * While the provider does not answer, a runtime that makes the same vectors replaces it. Model names are
 * not compared: each runtime embeds one sample of the provider once.
 */
export function withFallback(provider: Embedder, options: FallbackOptions): Embedder {
  const { runtimes, state, stored } = options
  const closing = new AbortController()
  const readStoredSample = memoize(async () => stored.findSample(await provider.identity()))
  const recordSample = ({ texts, kind }: Request, [first]: readonly (Embedded | undefined)[]) => {
    const [text] = texts
    if (text !== undefined && first) state.sample ??= { text, kind, whole: first.whole }
  }
  const checkRuntime = async (runtime: Embedder, sample: Sample): Promise<boolean> => {
    const isMatch = await makesSameVectors(runtime, sample)
    // An aborted check has no result.
    if (closing.signal.aborted) state.matching.delete(runtime.provider)
    return isMatch
  }
  const findFallback = async (): Promise<Embedder | undefined> => {
    const { matching: alike } = state
    const sample = state.sample ?? (await readStoredSample())
    if (!sample) return undefined
    for (const runtime of runtimes) {
      const check = alike.get(runtime.provider) ?? checkRuntime(runtime, sample)
      alike.set(runtime.provider, check)
      if (await check) return runtime
    }
    return undefined
  }
  return {
    ...provider,
    primary: provider,
    embed: async (request) => {
      try {
        const embeddings = await provider.embed(request)
        recordSample(request, embeddings)
        return embeddings
      } catch (error) {
        if (!(error instanceof EmbeddingFailure) || error.kind === 'text') throw error
        const fallback = request.signal?.aborted ? undefined : await findFallback()
        if (!fallback) throw error
        return fallback.embed(request)
      }
    },
    reset: () => {
      for (const embedder of [provider, ...runtimes]) embedder.reset?.()
    },
    close: async () => {
      closing.abort()
      await Promise.all([provider, ...runtimes].map((a) => a.close()))
    },
  }
}

async function makesSameVectors(
  runtime: Embedder,
  { text, kind, whole }: Sample,
): Promise<boolean> {
  try {
    const [embedding] = await runtime.embed({ texts: [text], kind })
    return embedding !== undefined && cosineOf(embedding.whole, whole) >= minSimilarity
  } catch (error) {
    if (error instanceof EmbeddingFailure) return false
    throw error
  }
}

/** Cosine of unit vectors; 0 if their lengths differ. */
function cosineOf(one: Float32Array, b: Float32Array): number {
  if (one.length !== b.length) return 0
  return one.reduce((sum, value, index) => sum + value * (b[index] as number), 0)
}
