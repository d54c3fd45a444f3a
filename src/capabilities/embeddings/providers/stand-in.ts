import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'

/** Cosine: the same model, served with numbers of another length, is nearer to itself than this. */
const leastAlike = 0.99

type Request = Parameters<Embedder['embed']>[0]

/** What the provider itself has made in this run. */
interface Sample extends Pick<Request, 'kind'> {
  readonly text: string
  readonly whole: Float32Array
}

/**
 * While a provider does not answer, another runtime does that makes the same vectors. Names tell nothing
 * of that: each is asked for one that the provider has made, once in a run, and none is asked again.
 */
export function withStandIn(provider: Embedder, runtimes: readonly Embedder[]): Embedder {
  const state: { sample?: Sample; found?: Promise<Embedder | undefined> } = {}
  const keep = ({ texts, kind }: Request, [first]: readonly (Embedded | undefined)[]) => {
    const [text] = texts
    if (text !== undefined && first) state.sample ??= { text, kind, whole: first.whole }
  }
  const find = async () => {
    if (!state.sample) return undefined
    state.found ??= findAlike(runtimes, state.sample)
    return state.found
  }
  return {
    ...provider,
    itself: provider,
    embed: async (request) => {
      try {
        const made = await provider.embed(request)
        keep(request, made)
        return made
      } catch (error) {
        if (!(error instanceof EmbeddingFailure) || error.kind === 'text') throw error
        const other = request.signal?.aborted ? undefined : await find()
        if (!other) throw error
        return other.embed(request)
      }
    },
    close: async () => {
      await Promise.all([provider, ...runtimes].map((one) => one.close()))
    },
  }
}

async function findAlike(
  runtimes: readonly Embedder[],
  sample: Sample,
): Promise<Embedder | undefined> {
  for (const runtime of runtimes) if (await makesAlike(runtime, sample)) return runtime
  return undefined
}

async function makesAlike(runtime: Embedder, { text, kind, whole }: Sample): Promise<boolean> {
  try {
    const [made] = await runtime.embed({ texts: [text], kind })
    return made !== undefined && cosineOf(made.whole, whole) >= leastAlike
  } catch (error) {
    if (error instanceof EmbeddingFailure) return false
    throw error
  }
}

/** Of vectors of unit length; 0 where they are not equally long. */
function cosineOf(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return 0
  return one.reduce((sum, value, at) => sum + value * (other[at] as number), 0)
}
