import { EmbeddingFailure } from './embedder.ts'
import type { BoundEmbedder, EmbedderRegistry } from './embedder-registry.ts'
import { promote } from './models.ts'
import type { ChangedMemory, EmbeddingsNeeds } from './needs.ts'
import { deleteFailuresOf, listDueFailures, readFailures, updateModel } from './store/models.ts'

import type { ModelRow } from './store/rows.ts'
import { deleteSomeVectors, hasVectorOf, readVectorHashes } from './store/vectors.ts'
import { writeVectors } from './write-vectors.ts'

const pageSize = 500
const deleteBatchSize = 200
/** Minimum coverage of a new model, relative to the active model. */
const minShare = 0.5

interface CatchUpContext {
  readonly needs: EmbeddingsNeeds
  readonly registry: EmbedderRegistry
  readonly signal?: AbortSignal | undefined
}

/**
 * Embeds every memory with the configured model and promotes a model that has caught up. The work
 * resumes at the last seen revision. Throws if the provider fails or the model cannot be promoted.
 */
export async function catchUp(context: CatchUpContext): Promise<void> {
  const { needs, registry, signal } = context
  await registry.refresh()
  await deleteRetiredVectors(context)
  const failure = registry.failure()
  if (failure) throw failure
  const { target } = registry.models()
  const bound = registry.writeTargets().find(({ identity }) => identity === target?.identity)
  if (!target || !bound) return
  await retryRejected(context, bound)
  if (await isUpToDate(needs, target)) return await finish(context, bound)
  for (let after = target.seenRevision; !signal?.aborted; ) {
    const page = await needs.memories().listChanged(needs.background, { after, limit: pageSize })
    const last = page.at(-1)
    if (!last) return await finish(context, bound)
    await embedPage(context, bound, page)
    after = last.revision
  }
}

/** Reads one row, because this runs every few seconds and usually finds nothing to do. */
async function isUpToDate({ db, memories }: EmbeddingsNeeds, { seenRevision }: ModelRow) {
  return (await memories().listChanged(db, { after: seenRevision, limit: 1 })).length === 0
}

async function embedPage(
  context: CatchUpContext,
  bound: BoundEmbedder,
  page: readonly ChangedMemory[],
): Promise<void> {
  const { needs, signal } = context
  const missing = await findMissing(needs, bound, page)
  const size = Math.max(needs.batchSize(), bound.embedder.batchSize)
  for (let start = 0; start < missing.length && !signal?.aborted; start += size) {
    const ids = missing.slice(start, start + size).map(({ id }) => id)
    await writeVectors(context, bound, ids)
  }
  const { revision: seenRevision = 0 } = page.at(-1) ?? {}
  if (!signal?.aborted) await updateModel(needs.db, bound.identity, { seenRevision })
}

/** Lists live memories without a vector of their current text, except rejected texts. */
async function findMissing(
  { background }: EmbeddingsNeeds,
  { identity }: BoundEmbedder,
  page: readonly ChangedMemory[],
): Promise<readonly ChangedMemory[]> {
  const live = page.filter((memory) => memory.live)
  const ids = live.map(({ id }) => id)
  const hashes = await readVectorHashes(background, identity, ids)
  const rejected = await readFailures(background, identity, ids)
  return live.filter(
    ({ id, contentHash }) =>
      hashes.get(id) !== contentHash && rejected.get(id)?.contentHash !== contentHash,
  )
}

async function retryRejected(context: CatchUpContext, bound: BoundEmbedder): Promise<void> {
  const { db, host, batchSize, memories } = context.needs
  const { isLive } = memories()
  const due = { now: host.now().toISOString(), limit: batchSize(), isLive }
  const ids = await listDueFailures(db, bound.identity, due)
  if (ids.length > 0) await writeVectors(context, bound, ids)
}

async function finish(
  { needs, registry }: CatchUpContext,
  { identity }: BoundEmbedder,
): Promise<void> {
  const { active, building } = registry.models()
  if (building?.identity !== identity) return
  if (active) await assertEnoughVectors(needs, active, building)
  await promote(needs, building)
  await registry.refresh()
}

/** A new model must not lose most of the vectors. @throws {EmbeddingFailure} */
async function assertEnoughVectors(
  { background, memories }: EmbeddingsNeeds,
  active: ModelRow,
  building: ModelRow,
): Promise<void> {
  const count = ({ identity }: ModelRow) => memories().countLive(background, hasVectorOf(identity))
  const [before, now] = await Promise.all([count(active), count(building)])
  if (now.embedded >= before.embedded * minShare) return
  const built = `${building.identity} has a vector for ${now.embedded} memories`
  const current = `${active.identity} for ${before.embedded}: it is not promoted`
  throw new EmbeddingFailure('provider', `${built}, ${current}`)
}

/** Keeps the model rows, so that vectors that arrive late are deleted too. */
async function deleteRetiredVectors({ needs, registry, signal }: CatchUpContext): Promise<void> {
  for (const { identity } of registry.models().retired) {
    let deleted = deleteBatchSize
    while (deleted === deleteBatchSize && !signal?.aborted)
      deleted = await deleteSomeVectors(needs.db, identity, deleteBatchSize)
    await deleteFailuresOf(needs.db, identity)
  }
}
