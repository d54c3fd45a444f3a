import { EmbeddingFailure } from './embedder.ts'
import type { Maker } from './makers.ts'
import type { Words } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { readVectorHashes } from './store/vectors.ts'
import { keepOutcomes } from './write-vectors.ts'

/**
 * Whether a memory that is kept has a vector now. What takes longer than the budget goes on; what
 * fails is found by `catchUp`.
 */
export async function embedMemory(runtime: Runtime, memory: Words): Promise<boolean> {
  const { needs, makers, underWay } = runtime
  const { atOnce = 0 } = makers.configured() ?? {}
  if (underWay.count() >= atOnce) return false
  const embed = async (): Promise<boolean> => {
    await makers.ready()
    const made = makers.forWriting().map((maker) => embedBy(runtime, maker, memory))
    return (await Promise.all(made)).includes(true)
  }
  const done = await underWay.within(needs.config().budget_ms, embed)
  return done ?? false
}

/** By what answers searches, or by what is about to. */
export async function isEmbedded(
  { needs, makers }: Pick<Runtime, 'needs' | 'makers'>,
  { id, contentHash }: Pick<Words, 'id' | 'contentHash'>,
): Promise<boolean> {
  const { active, target } = makers.models()
  for (const model of [active, target]) {
    const hashes = model && (await readVectorHashes(needs.db, model.identity, [id]))
    if (hashes?.get(id) === contentHash) return true
  }
  return false
}

async function embedBy(
  { needs, underWay }: Runtime,
  { embedder, identity }: Maker,
  memory: Words,
): Promise<boolean> {
  const request = { texts: [memory.content], kind: 'document' as const, signal: underWay.signal }
  try {
    const [made] = await embedder.embed(request)
    return (
      made !== undefined && (await keepOutcomes(needs, identity, [{ words: memory, made }])) > 0
    )
  } catch (error) {
    const level = error instanceof EmbeddingFailure ? 'debug' : 'warn'
    needs.log[level]({ err: error, memory: memory.id }, 'not embedded yet')
    return false
  }
}
