import { type Embedded, type Embedder, EmbeddingFailure } from './embedder.ts'
import type { BoundEmbedder } from './embedder-registry.ts'
import type { Runtime } from './runtime.ts'

interface QueryVector {
  readonly identity: string
  readonly vector: Float32Array
  readonly kind: NonNullable<Embedder['kind']>
  readonly baseCosine?: number | undefined
}

/** The model did not answer within the deadline. */
interface LateVector extends Readonly<Partial<Record<'identity' | 'vector', undefined>>> {
  readonly isLate: true
}

type QueryEmbedding = QueryVector | LateVector | undefined

const maxCached = 200

/** Embeds queries within a deadline. Repeated queries come from a cache. Never throws. */
export function createQueryEmbedder(runtime: Runtime) {
  const { needs, registry, pendingWork } = runtime
  const cache = new Map<string, QueryVector>()
  return async (text: string): Promise<QueryEmbedding> => {
    if (registry.configured() === undefined) return undefined
    const ready = registry.queryTarget()
    const inline = ready?.embedder.embedInline?.(text)
    if (ready && inline) return inline.embedding && toQueryVector(ready, inline.embedding)
    const cached = ready && cache.get(keyOf(ready, text))
    if (cached) return cached
    const result = await pendingWork.run(needs.config().query_timeout_ms, async () => {
      await registry.ready()
      const bound = registry.queryTarget()
      if (!bound || pendingWork.count() > bound.embedder.concurrency) return null
      const embedded = await embed(runtime, bound, text)
      // A late vector serves the next query with the same text.
      if (embedded) add(cache, keyOf(bound, text), embedded)
      return embedded
    })
    return result === undefined ? { isLate: true } : (result ?? undefined)
  }
}

function toQueryVector({ identity, embedder }: BoundEmbedder, { whole }: Embedded): QueryVector {
  const { kind = 'transformer' } = embedder
  return { identity, vector: whole, kind, baseCosine: embedder.baseCosine?.() }
}

function keyOf({ identity }: BoundEmbedder, text: string): string {
  return `${identity}\n${text}`
}

/** Deletes the oldest entry of a full cache. */
function add(cache: Map<string, QueryVector>, key: string, vector: QueryVector): void {
  const [oldest] = cache.keys()
  if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
  cache.set(key, vector)
}

async function embed(
  { needs, pendingWork: { signal } }: Runtime,
  bound: BoundEmbedder,
  text: string,
): Promise<QueryVector | null> {
  try {
    const [embedding] = await bound.embedder.embed({ texts: [text], kind: 'query', signal })
    return embedding ? toQueryVector(bound, embedding) : null
  } catch (error) {
    const level = error instanceof EmbeddingFailure ? 'debug' : 'warn'
    needs.log[level]({ err: error }, 'query embedding failed')
    return null
  }
}
