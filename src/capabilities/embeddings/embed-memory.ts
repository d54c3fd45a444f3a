import { EmbeddingFailure } from './embedder.ts'
import type { BoundEmbedder } from './embedder-registry.ts'
import type { EmbeddableText } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { readVectorHashes } from './store/vectors.ts'
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
