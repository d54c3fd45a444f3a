import { EmbeddingFailure } from './embedder.ts'
import type { Runtime } from './runtime.ts'

export interface QueryVector {
  readonly identity: string
  readonly vector: Float32Array
}

/** Returns undefined if no vector is ready in time; never throws. */
export async function embedQuery(
  { needs, registry, pendingWork }: Runtime,
  text: string,
): Promise<QueryVector | undefined> {
  if (registry.configured() === undefined) return undefined
  const ready = registry.queryTarget()
  const inline = ready?.embedder.embedInline?.(text)
  if (ready && inline)
    return inline.embedding && { identity: ready.identity, vector: inline.embedding.whole }
  return await pendingWork.run(needs.config().budget_ms, async () => {
    await registry.ready()
    const bound = registry.queryTarget()
    if (!bound || pendingWork.count() > bound.embedder.concurrency) return undefined
    try {
      const { identity, embedder } = bound
      const { signal } = pendingWork
      const [embedding] = await embedder.embed({ texts: [text], kind: 'query', signal })
      return embedding && { identity, vector: embedding.whole }
    } catch (error) {
      const level = error instanceof EmbeddingFailure ? 'debug' : 'warn'
      needs.log[level]({ err: error }, 'query embedding failed')
      return undefined
    }
  })
}
