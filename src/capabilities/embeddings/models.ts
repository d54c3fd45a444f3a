import type { Db } from '../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../kernel/db/transaction.ts'
import { type ModelIdentity, toIdentity } from './embedder.ts'
import { embeddingsPromoted } from './events.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { insertModel, listModels, retireBuilding, updateModel } from './store/models.ts'
import type { ModelRow } from './store/rows.ts'

type Needs = Pick<EmbeddingsNeeds, 'db' | 'host' | 'events'>

/** Which vectors there are: those that answer, those that are to take their place, those that go. */
export interface Models {
  readonly active: ModelRow | undefined
  /** Of the configured model; the active one unless the model has changed. */
  readonly target: ModelRow | undefined
  readonly building: ModelRow | undefined
  readonly retired: readonly ModelRow[]
}

export async function readModels(db: Db, target?: string): Promise<Models> {
  const all = await listModels(db)
  return {
    active: all.find(({ state }) => state === 'active'),
    target: all.find(({ identity, state }) => identity === target && state !== 'retired'),
    building: all.find(({ state }) => state === 'building'),
    retired: all.filter(({ state }) => state === 'retired'),
  }
}

/** The first model answers at once; a later one is built beside it. What else was begun is given up. */
export async function settleModel(needs: Needs, wanted: ModelIdentity): Promise<Models> {
  const identity = toIdentity(wanted)
  const before = await readModels(needs.db, identity)
  const { target, building = target } = before
  if (target && building?.identity === identity) return before
  const now = needs.host.now().toISOString()
  return await transaction(needs.db, async (db) => {
    await retireBuilding(db)
    const { active, retired } = await readModels(db)
    if (active?.identity === identity) return await readModels(db, identity)
    const state = active ? ('building' as const) : ('active' as const)
    const known = retired.some((row) => row.identity === identity)
    if (known) await updateModel(db, identity, { state, seenRevision: 0 })
    const row = { ...wanted, identity, state, seenRevision: 0, createdAt: now, promotedAt: null }
    await insertModel(db, row)
    if (!active) afterCommit(db, () => needs.events.emit(embeddingsPromoted, { identity }))
    return await readModels(db, identity)
  })
}

/** What has been built is complete: it answers from now on, and what answered before goes. */
export async function promote(needs: Needs, { identity }: ModelRow): Promise<void> {
  const promotedAt = needs.host.now().toISOString()
  await transaction(needs.db, async (db) => {
    const { active } = await readModels(db)
    if (active) await updateModel(db, active.identity, { state: 'retired' })
    await updateModel(db, identity, { state: 'active', promotedAt })
    afterCommit(db, () => needs.events.emit(embeddingsPromoted, { identity }))
  })
}
