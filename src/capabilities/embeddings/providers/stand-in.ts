import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'
import type { KeptVectors, Sample } from '../kept-vectors.ts'
import { onceRead } from '../once-read.ts'

/** Cosine: the same model, served with numbers of another length, is nearer to itself than this. */
const leastAlike = 0.99

type Request = Parameters<Embedder['embed']>[0]

/** What was found out about the runtimes that may stand in for one provider. */
interface Findings {
  /** What the provider itself has made in this run. */
  sample?: Sample
  /** Whether each makes the same vectors, by its name. */
  readonly alike: Map<string, Promise<boolean>>
}

export function createFindings(): Findings {
  return { alike: new Map() }
}

interface StandIns {
  readonly runtimes: readonly Embedder[]
  readonly findings: Findings
  readonly kept: Pick<KeptVectors, 'findSample'>
}

/**
 * While a provider does not answer, another runtime does that makes the same vectors. Names tell nothing
 * of that: each is asked for one that the provider has made, or that is kept of it, and none is asked
 * again while there are findings of it.
 */
export function withStandIn(provider: Embedder, standIns: StandIns): Embedder {
  const { runtimes, findings, kept } = standIns
  const closing = new AbortController()
  const readKept = onceRead(async () => kept.findSample(await provider.identity()))
  const keep = ({ texts, kind }: Request, [first]: readonly (Embedded | undefined)[]) => {
    const [text] = texts
    if (text !== undefined && first) findings.sample ??= { text, kind, whole: first.whole }
  }
  const ask = async (runtime: Embedder, sample: Sample): Promise<boolean> => {
    const isAlike = await makesAlike(runtime, sample)
    // Kept from answering, it has not answered.
    if (closing.signal.aborted) findings.alike.delete(runtime.provider)
    return isAlike
  }
  const find = async (): Promise<Embedder | undefined> => {
    const { alike } = findings
    const sample = findings.sample ?? (await readKept())
    if (!sample) return undefined
    for (const runtime of runtimes) {
      const asked = alike.get(runtime.provider) ?? ask(runtime, sample)
      alike.set(runtime.provider, asked)
      if (await asked) return runtime
    }
    return undefined
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
    tryAgain: () => {
      for (const one of [provider, ...runtimes]) one.tryAgain?.()
    },
    close: async () => {
      closing.abort()
      await Promise.all([provider, ...runtimes].map((one) => one.close()))
    },
  }
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
