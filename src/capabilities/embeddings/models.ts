import type { Db } from '../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../kernel/db/transaction.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import { type ModelIdentity, toIdentity } from './embedder.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { insertModel, listModels, retireBuilding, updateModel } from './store/models.ts'
import type { ModelRow } from './store/rows.ts'

type Needs = Pick<EmbeddingsNeeds, 'db' | 'host' | 'events'>

/** The models that have vectors, by state. */
export interface Models {
  readonly active: ModelRow | undefined
  /** The configured model; equals `active` unless the configuration changed. */
  readonly target: ModelRow | undefined
  readonly building: ModelRow | undefined
  readonly retired: readonly ModelRow[]
}

export async function readModels(db: Db, target?: string): Promise<Models> {
  const rows = await listModels(db)
  return {
    active: rows.find(({ state }) => state === 'active'),
    target: rows.find(({ identity, state }) => identity === target && state !== 'retired'),
    building: rows.find(({ state }) => state === 'building'),
    retired: rows.filter(({ state }) => state === 'retired'),
  }
}

/** The first model becomes active immediately; a later one is built first. Another build is retired. */
export async function selectModel(needs: Needs, model: ModelIdentity): Promise<Models> {
  const identity = toIdentity(model)
  const current = await readModels(needs.db, identity)
  const { target, building = target } = current
  if (target && building?.identity === identity) return current
  const now = needs.host.now().toISOString()
  return await transaction(needs.db, async (db) => {
    await retireBuilding(db)
    const { active, retired } = await readModels(db)
    if (active?.identity === identity) return await readModels(db, identity)
    const state = active ? ('building' as const) : ('active' as const)
    const known = retired.some((row) => row.identity === identity)
    if (known) await updateModel(db, identity, { state, seenRevision: 0 })
    const row = { ...model, identity, state, seenRevision: 0, createdAt: now, promotedAt: null }
    await insertModel(db, row)
    if (!active) afterCommit(db, () => needs.events.emit(embeddingsPromoted, { identity }))
    return await readModels(db, identity)
  })
}

/** Activates a complete model and retires the previous one. */
export async function promote(needs: Needs, { identity }: ModelRow): Promise<void> {
  const promotedAt = needs.host.now().toISOString()
  await transaction(needs.db, async (db) => {
    const { active } = await readModels(db)
    if (active) await updateModel(db, active.identity, { state: 'retired' })
    await updateModel(db, identity, { state: 'active', promotedAt })
    afterCommit(db, () => needs.events.emit(embeddingsPromoted, { identity }))
  })
}

/** The vectors of this model identity now answer searches. */
export const embeddingsPromoted = defineEvent<{ readonly identity: string }>('embeddings.promoted')
