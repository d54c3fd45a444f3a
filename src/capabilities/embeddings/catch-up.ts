import { EmbeddingFailure } from './embedder.ts'
import type { Maker, Makers } from './makers.ts'
import { promote } from './models.ts'
import type { Changed, EmbeddingsNeeds } from './needs.ts'
import { deleteFailuresOf, listDueFailures, readFailures } from './store/failures.ts'
import { updateModel } from './store/models.ts'
import type { ModelRow } from './store/rows.ts'
import { deleteSomeVectors, hasVectorOf, readVectorHashes } from './store/vectors.ts'
import { writeVectors } from './write-vectors.ts'

const pageSize = 500
const deletedAtOnce = 200
/** Of the memories that have a vector by the model that answers. */
const leastShare = 0.5

interface Catching {
  readonly needs: EmbeddingsNeeds
  readonly makers: Makers
  readonly signal?: AbortSignal | undefined
}

/**
 * Gives every memory its vector by the configured model, going on where it was left; a model that
 * has caught up takes over. Fails when the provider does, with all kept that was made until then, and
 * when the model cannot take over.
 */
export async function catchUp(catching: Catching): Promise<void> {
  const { needs, makers, signal } = catching
  await makers.settle()
  await deleteRetiredVectors(catching)
  const failure = makers.failure()
  if (failure) throw failure
  const { target } = makers.models()
  const maker = makers.forWriting().find(({ identity }) => identity === target?.identity)
  if (!target || !maker) return
  await retryRefused(catching, maker)
  if (await isUpToDate(needs, target)) return await finish(catching, maker)
  for (let after = target.seenRevision; !signal?.aborted; ) {
    const page = await needs.memories().listChanged(needs.background, { after, limit: pageSize })
    const last = page.at(-1)
    if (!last) return await finish(catching, maker)
    await embedPage(catching, maker, page)
    after = last.revision
  }
}

/** Asked every few seconds and almost always so: one row tells, and no thread starts for that. */
async function isUpToDate({ db, memories }: EmbeddingsNeeds, { seenRevision }: ModelRow) {
  return (await memories().listChanged(db, { after: seenRevision, limit: 1 })).length === 0
}

async function embedPage(
  catching: Catching,
  maker: Maker,
  page: readonly Changed[],
): Promise<void> {
  const { needs, signal } = catching
  const lacking = await findLacking(needs, maker, page)
  const size = Math.max(needs.batchSize(), maker.embedder.batchSize)
  for (let start = 0; start < lacking.length && !signal?.aborted; start += size) {
    const ids = lacking.slice(start, start + size).map(({ id }) => id)
    await writeVectors(catching, maker, ids)
  }
  const { revision: seenRevision = 0 } = page.at(-1) ?? {}
  if (!signal?.aborted) await updateModel(needs.db, maker.identity, { seenRevision })
}

/** What is live and has no vector of its present words, but for what was refused with these words. */
async function findLacking(
  { background }: EmbeddingsNeeds,
  { identity }: Maker,
  page: readonly Changed[],
): Promise<readonly Changed[]> {
  const live = page.filter((memory) => memory.live)
  const ids = live.map(({ id }) => id)
  const hashes = await readVectorHashes(background, identity, ids)
  const refused = await readFailures(background, identity, ids)
  return live.filter(
    ({ id, contentHash }) =>
      hashes.get(id) !== contentHash && refused.get(id)?.contentHash !== contentHash,
  )
}

async function retryRefused(catching: Catching, maker: Maker): Promise<void> {
  const { db, host, batchSize, memories } = catching.needs
  const { isLive } = memories()
  const due = { now: host.now().toISOString(), limit: batchSize(), isLive }
  const ids = await listDueFailures(db, maker.identity, due)
  if (ids.length > 0) await writeVectors(catching, maker, ids)
}

async function finish({ needs, makers }: Catching, { identity }: Maker): Promise<void> {
  const { active, building } = makers.models()
  if (building?.identity !== identity) return
  if (active) await expectEnough(needs, active, building)
  await promote(needs, building)
  await makers.settle()
}

/** Most of what is found by meaning now must be so afterwards. @throws {EmbeddingFailure} */
async function expectEnough(
  { background, memories }: EmbeddingsNeeds,
  active: ModelRow,
  building: ModelRow,
): Promise<void> {
  const count = ({ identity }: ModelRow) => memories().countLive(background, hasVectorOf(identity))
  const [before, now] = await Promise.all([count(active), count(building)])
  if (now.embedded >= before.embedded * leastShare) return
  const made = `${building.identity} has a vector for ${now.embedded} memories`
  const instead = `${active.identity} for ${before.embedded}: it does not take over`
  throw new EmbeddingFailure('provider', `${made}, ${instead}`)
}

/** It stays known which models there were: what comes late for one of them goes as well. */
async function deleteRetiredVectors({ needs, makers, signal }: Catching): Promise<void> {
  for (const { identity } of makers.models().retired) {
    let deleted = deletedAtOnce
    while (deleted === deletedAtOnce && !signal?.aborted)
      deleted = await deleteSomeVectors(needs.db, identity, deletedAtOnce)
    await deleteFailuresOf(needs.db, identity)
  }
}
