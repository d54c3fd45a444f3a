import { transaction } from '../../kernel/db/transaction.ts'
import { type Embedded, EmbeddingFailure } from './embedder.ts'
import type { Maker } from './makers.ts'
import type { EmbeddingsNeeds, Words } from './needs.ts'
import type { Runtime } from './runtime.ts'
import { deleteVectors, insertVectors, readVectorHashes } from './store/vectors.ts'

/** A memory as it was just written. */
export interface Embeddable extends Words {
  /** 1 for one that is new. */
  readonly version: number
}

/** Whether it has a vector now. What takes longer than the budget goes on; what fails is found by `catchUp`. */
export async function embedMemory(runtime: Runtime, memory: Embeddable): Promise<boolean> {
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
  memory: Embeddable,
): Promise<boolean> {
  const request = { texts: [memory.content], kind: 'document' as const, signal: underWay.signal }
  try {
    const [made] = await embedder.embed(request)
    if (made) await keep(needs, { identity, memory, made })
    return made !== undefined
  } catch (error) {
    const level = error instanceof EmbeddingFailure ? 'debug' : 'warn'
    needs.log[level]({ err: error, memory: memory.id }, 'not embedded yet')
    return false
  }
}

interface Kept {
  readonly identity: string
  readonly memory: Embeddable
  readonly made: Embedded
}

async function keep({ db, host }: EmbeddingsNeeds, { identity, memory, made }: Kept) {
  const { id: memoryId, agentId, contentHash, version } = memory
  const written = { identity, createdAt: host.now().toISOString() }
  const vectors = [{ memoryId, agentId, contentHash, ...made }]
  // What is new has no other, and one statement is cheaper than a transaction.
  if (version === 1) return await insertVectors(db, written, vectors)
  await transaction(db, async (db) => {
    await deleteVectors(db, [memoryId], identity)
    await insertVectors(db, written, vectors)
  })
}
