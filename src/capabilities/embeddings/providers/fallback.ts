import { memoize } from '../cache.ts'
import {
  type Embedded,
  type Embedder,
  EmbeddingFailure,
  type ModelIdentity,
  probe,
} from '../embedder.ts'
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
  readonly storedVectors: Pick<StoredVectors, 'findSample'>
}

/**
 * While the provider does not answer, a runtime that makes the same vectors replaces it. Model names are
 * not compared: each runtime embeds one sample of the provider once.
 */
export function withFallback(provider: Embedder, options: FallbackOptions): Embedder {
  const { runtimes, state, storedVectors: stored } = options
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

/**
 * Uses the stored identity while the provider does not answer. A vector of another length discards
 * the assumption, and the provider is queried again.
 */
export function withCachedIdentity(provider: Embedder, storedVectors: StoredVectors): Embedder {
  const state: { assumed?: ModelIdentity } = {}
  const findStored = async (): Promise<ModelIdentity | undefined> => {
    const { knownIdentity } = provider
    const identity = knownIdentity && (await storedVectors.findIdentity(knownIdentity))
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
function assertDimensions(embeddings: readonly (Embedded | undefined)[], dims: number): void {
  const mismatch = embeddings.find(
    (embedding) => embedding !== undefined && embedding.whole.length !== dims,
  )
  if (!mismatch) return
  const message = `the model returned ${mismatch.whole.length} dimensions, not ${dims}`
  throw new EmbeddingFailure('provider', message)
}
