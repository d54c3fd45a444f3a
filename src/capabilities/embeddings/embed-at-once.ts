import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import type { Words } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { createInserting } from './store/vectors.ts'

/** The vectors of a memory that is about to be kept. */
export interface AtOnce {
  /** False for words that have no direction. */
  readonly embedded: boolean
  /** Part of the transaction that keeps the memory; they do nothing where it is not kept. */
  writes(db: Db): readonly Write[]
}

/** Undefined where it would have to be waited for: such a memory is embedded once it is kept. */
export type EmbedAtOnce = (memory: Words) => AtOnce | undefined

export function createEmbedAtOnce({ needs, makers }: Runtime): EmbedAtOnce {
  const inserting = createInserting((id) => needs.memories().isKept(id))
  return ({ id: memoryId, agentId, content, contentHash }) => {
    if (!makers.configured() || !makers.models().target) return undefined
    const made = makers.forWriting().map(({ identity, embedder }) => {
      const answer = embedder.embedAtOnce?.(content)
      return answer && { identity, made: answer.made }
    })
    if (made.includes(undefined)) return undefined
    const vectors = made.flatMap((one) => (one?.made ? [{ ...one.made, ...one }] : []))
    const createdAt = needs.host.now().toISOString()
    return {
      embedded: vectors.length > 0,
      writes: (db) =>
        vectors.flatMap(({ identity, whole, passages }) =>
          inserting(
            db,
            { identity, createdAt },
            { memoryId, agentId, contentHash, whole, passages },
          ),
        ),
    }
  }
}
