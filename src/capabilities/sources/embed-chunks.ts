import { transaction } from '../../kernel/db/transaction.ts'
import type { SourcesOptions } from './needs.ts'
import type { Pace } from './runs/pace.ts'
import {
  deleteOtherVectors,
  findVectorsByWords,
  listPending,
  type NewVector,
  type PendingChunk,
  saveVectors,
} from './store/vectors.ts'

/** Makes vectors of chunks, as `embeddings` does of memories. */
export interface ChunkEmbedder {
  /** Embeds all chunks without a vector. Returns false while the provider is down. */
  embedPending(signal: AbortSignal): Promise<boolean>
}

/** Chunks of one transaction. The provider divides them further. */
const batchSize = 256

interface EmbedderNeeds
  extends Pick<SourcesOptions, 'db' | 'background' | 'engine' | 'embeddings'> {
  readonly pace: Pace
}

export function createChunkEmbedder(needs: EmbedderNeeds): ChunkEmbedder {
  /** Below this revision each chunk has a vector of this model. */
  const frontier: Frontier = { identity: '', revision: 0 }
  const state: { last: Promise<unknown> } = { last: Promise.resolve() }
  return {
    embedPending: (signal) => {
      // One caller after another: each embeds what was added meanwhile.
      const turn = state.last.then(() => embedAll(needs, frontier, signal))
      state.last = turn.catch(() => false)
      return turn
    },
  }
}

interface Frontier {
  identity: string
  revision: number
}

async function embedAll(
  needs: EmbedderNeeds,
  frontier: Frontier,
  signal: AbortSignal,
): Promise<boolean> {
  const identity = needs.embeddings.activeIdentity()
  if (identity === '') return true
  if (frontier.identity !== identity) Object.assign(frontier, { identity, revision: 0 })
  while (!signal.aborted) {
    const after = frontier.revision
    const limit = needs.pace.limit(batchSize)
    const chunks = await listPending(needs.background, { identity, after, limit })
    const last = chunks.at(-1)
    if (!last) return true
    const embed = () => embedBatch(needs, { identity, chunks, signal })
    const isEmbedded = await needs.pace.run(embed, signal)
    if (!isEmbedded) return signal.aborted
    frontier.revision = Number(last.revision)
  }
  return true
}

/** Removes the vectors of models that are no longer active. */
export async function removeOldVectors({
  db,
  embeddings,
}: Pick<SourcesOptions, 'db' | 'embeddings'>): Promise<void> {
  const identity = embeddings.activeIdentity()
  if (identity === '') return
  for (let hasMore = true; hasMore; ) hasMore = await deleteOtherVectors(db, identity)
}

interface Batch {
  readonly identity: string
  readonly chunks: readonly PendingChunk[]
  readonly signal: AbortSignal
}

async function embedBatch(needs: EmbedderNeeds, batch: Batch): Promise<boolean> {
  const { identity, chunks, signal } = batch
  const wordsHashes = chunks.map(({ wordsHash }) => wordsHash)
  const stored = await findVectorsByWords(needs.background, identity, wordsHashes)
  const missing = chunks.filter(({ wordsHash }) => !stored.has(wordsHash))
  const texts = missing.map(({ heading, text }) => `${heading}\n${text}`)
  const embedded =
    texts.length === 0 ? { vectors: [] } : await needs.embeddings.embedTexts(texts, signal)
  // A vector of another model must not be stored under this identity.
  if (!embedded || needs.embeddings.activeIdentity() !== identity) return false
  const fresh = missing.map((chunk, index) =>
    toVector(chunk, toBytes(embedded.vectors[index] ?? new Float32Array())),
  )
  const copies = chunks.flatMap((chunk) => {
    const vector = stored.get(chunk.wordsHash)
    return vector ? [toVector(chunk, vector)] : []
  })
  // A text without known words has no vector.
  const vectors = [...fresh, ...copies].filter(({ vector }) => vector.some((byte) => byte !== 0))
  await transaction(needs.db, (db) => saveVectors(db, identity, vectors))
  needs.engine.changed()
  return true
}

function toVector({ id, wordsHash }: PendingChunk, vector: Uint8Array): NewVector {
  return { chunkId: id, wordsHash, vector, dims: vector.length / 4 }
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
