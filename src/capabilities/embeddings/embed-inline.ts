import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import type { EmbeddableText } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { createVectorInserts } from './store/vectors.ts'

/** The vectors of a memory that is about to be saved. */
export interface InlineEmbedding {
  /** False for a text whose vector is zero. */
  readonly embedded: boolean
  /** Runs in the transaction that saves the memory; a no-op without the memory. */
  writes(db: Db): readonly Write[]
}

/** Returns undefined if the model cannot embed synchronously; the memory is then embedded later. */
export type EmbedInline = (memory: EmbeddableText) => InlineEmbedding | undefined

export function createEmbedInline({ needs, registry }: Runtime): EmbedInline {
  const createInserts = createVectorInserts((id) => needs.memories().isStored(id))
  return ({ id: memoryId, agentId, content, contentHash }) => {
    if (!registry.configured() || !registry.models().target) return undefined
    const results = registry.writeTargets().map(({ identity, embedder }) => {
      const result = embedder.embedInline?.(content)
      return result && { identity, embedding: result.embedding }
    })
    if (results.includes(undefined)) return undefined
    const vectors = results.flatMap((result) =>
      result?.embedding ? [{ ...result.embedding, identity: result.identity }] : [],
    )
    const createdAt = needs.host.now().toISOString()
    return {
      embedded: vectors.length > 0,
      writes: (db) =>
        vectors.flatMap(({ identity, whole, passages }) =>
          createInserts(
            db,
            { identity, createdAt },
            { memoryId, agentId, contentHash, whole, passages },
          ),
        ),
    }
  }
}
