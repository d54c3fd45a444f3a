import type { Db } from '../../kernel/db/database.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import { EmbeddingFailure } from './embedder.ts'
import type { BoundEmbedder } from './embedder-registry.ts'
import type { EmbeddableText } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { createVectorInserts, readVectorHashes } from './store/vectors.ts'
import { saveOutcomes } from './write-vectors.ts'

/**
 * Returns whether a saved memory has a vector now. Work beyond the budget continues in the background;
 * `catchUp` retries failures.
 */
export async function embedMemory(runtime: Runtime, memory: EmbeddableText): Promise<boolean> {
  const { needs, registry, pendingWork } = runtime
  const { concurrency: atOnce = 0 } = registry.configured() ?? {}
  if (pendingWork.count() >= atOnce) return false
  const embed = async (): Promise<boolean> => {
    await registry.ready()
    const saved = registry.writeTargets().map((bound) => embedAndSave(runtime, bound, memory))
    return (await Promise.all(saved)).includes(true)
  }
  const done = await pendingWork.run(needs.config().budget_ms, embed)
  return done ?? false
}

/** Whether the active or the target model has a vector of this text. */
export async function isEmbedded(
  { needs, registry }: Pick<Runtime, 'needs' | 'registry'>,
  { id, contentHash }: Pick<EmbeddableText, 'id' | 'contentHash'>,
): Promise<boolean> {
  const { active, target } = registry.models()
  for (const model of [active, target]) {
    const hashes = model && (await readVectorHashes(needs.db, model.identity, [id]))
    if (hashes?.get(id) === contentHash) return true
  }
  return false
}

async function embedAndSave(
  { needs, pendingWork }: Runtime,
  { embedder, identity }: BoundEmbedder,
  memory: EmbeddableText,
): Promise<boolean> {
  const request = { texts: [memory.content], kind: 'document' as const, signal: pendingWork.signal }
  try {
    const [embedding] = await embedder.embed(request)
    return (
      embedding !== undefined &&
      (await saveOutcomes(needs, identity, [{ text: memory, embedding }])) > 0
    )
  } catch (error) {
    const level = error instanceof EmbeddingFailure ? 'debug' : 'warn'
    needs.log[level]({ err: error, memory: memory.id }, 'embedding deferred')
    return false
  }
}

/** The vectors of a memory that is about to be saved. */
export interface InlineEmbedding {
  /** False for a text whose vector is zero. */
  readonly embedded: boolean
  /** Runs in the transaction that saves the memory; a no-op without the memory. */
  writes(db: Db): readonly Write[]
}

/** Returns undefined if the model cannot embed synchronously; the memory is then embedded later. */
type EmbedInline = (memory: EmbeddableText) => InlineEmbedding | undefined

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

interface TextVectors {
  readonly model: string
  /** One for each text, in order. */
  readonly vectors: readonly Float32Array[]
}

/**
 * Embeds texts with the active model, for callers that wait. Returns undefined if no model answers.
 */
export async function embedTexts(
  { needs, registry, pendingWork }: Runtime,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<TextVectors | undefined> {
  await registry.ready()
  const bound = registry.queryTarget()
  if (!bound) return undefined
  const { embedder } = bound
  const either = AbortSignal.any([signal, pendingWork.signal])
  const vectors: (Float32Array | undefined)[] = []
  try {
    for (let start = 0; start < texts.length; start += embedder.batchSize) {
      const batch = texts.slice(start, start + embedder.batchSize)
      const embedded = await embedder.embed({ texts: batch, kind: 'document', signal: either })
      vectors.push(...embedded.map((one) => one?.whole))
    }
  } catch (error) {
    if (!(error instanceof EmbeddingFailure)) throw error
    needs.log.debug({ err: error }, 'text embedding failed')
    return undefined
  }
  const { dims = 0 } = registry.models().active ?? {}
  // A text without known words has a zero vector.
  return { model: embedder.model, vectors: vectors.map((one) => one ?? new Float32Array(dims)) }
}
