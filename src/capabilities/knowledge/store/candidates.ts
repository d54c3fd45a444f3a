import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'
import { isNoSourceRow } from './source-nodes.ts'

/** Rows of a graph that a person may want to look at. */

interface Generic {
  readonly names: readonly string[]
  readonly limit: number
}

/** Active aspects with a generic name, and links of the type `related_to`. */
export async function listGeneric(db: Db, agentId: string, { names, limit }: Generic) {
  const aspects = await tables(db)
    .selectFrom('entityAspects')
    .select(['id', 'canonicalName'])
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where('canonicalName', 'in', names)
    .where(isNoSourceRow('id'))
    .orderBy('id')
    .limit(limit)
    .execute()
  const links = await tables(db)
    .selectFrom('entityDependencies')
    .select('id')
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where('dependencyType', '=', 'related_to')
    .orderBy('id')
    .limit(limit)
    .execute()
  return { aspects, links }
}

/** Active values whose review is due before a time, those due first. */
export function listDueClaims(
  db: Db,
  agentId: string,
  { before, limit }: { readonly before: string; readonly limit: number },
) {
  return tables(db)
    .selectFrom('entityAttributes')
    .innerJoin('entityAspects', 'entityAspects.id', 'entityAttributes.aspectId')
    .innerJoin('entities', 'entities.id', 'entityAttributes.entityId')
    .select([
      'entityAttributes.id',
      'entityAttributes.claimKey',
      'entityAttributes.reviewAfter',
      'entityAspects.canonicalName as aspect',
      'entities.name as entity',
    ])
    .where('entityAttributes.agentId', '=', agentId)
    .where('entityAttributes.status', '=', 'active')
    .where('entityAttributes.withheldAt', 'is', null)
    .where('entityAttributes.reviewAfter', '<', before)
    .orderBy('entityAttributes.reviewAfter')
    .limit(limit)
    .execute()
}

/** Entities that have an active value. */
export async function listEntitiesWithClaims(db: Db, agentId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('entityAttributes')
    .select('entityId')
    .distinct()
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where(isNoSourceRow('id'))
    .execute()
  return rows.map(({ entityId }) => entityId)
}

/** Active aspects: all, and those of these names. */
export async function countAspects(db: Db, agentId: string, names: readonly string[]) {
  const rows = await tables(db)
    .selectFrom('entityAspects')
    .select('canonicalName')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where(isNoSourceRow('id'))
    .groupBy('canonicalName')
    .execute()
  const counts = new Map(rows.map(({ canonicalName, count }) => [canonicalName, Number(count)]))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const generic = names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0)
  return { total, generic, profile: counts.get('profile') ?? 0 }
}

/** Active values with an empty claim key. */
export function listUnkeyedClaims(db: Db, agentId: string, limit: number) {
  return activeClaims(db, agentId)
    .select(['entityAttributes.id', 'entities.name as entity'])
    .select('entityAspects.canonicalName as aspect')
    .where('entityAttributes.claimKey', '=', '')
    .orderBy('entityAttributes.id')
    .limit(limit)
    .execute()
}

/** Slots of these aspects with more than one active value: the newest and the oldest of each. */
export function listCrowdedSlots(
  db: Db,
  agentId: string,
  { aspects, limit }: { readonly aspects: readonly string[]; readonly limit: number },
) {
  return activeClaims(db, agentId)
    .where('entityAspects.canonicalName', 'in', aspects)
    .select(['entityAspects.canonicalName as aspect', 'entityAttributes.claimKey'])
    .select(({ fn }) => [
      fn.max('entityAttributes.id').as('attributeId'),
      fn.min('entityAttributes.id').as('otherId'),
    ])
    .groupBy([
      'entityAttributes.aspectId',
      'entityAspects.canonicalName',
      'entityAttributes.groupKey',
      'entityAttributes.claimKey',
    ])
    .having(({ fn, eb }) => eb(fn.countAll(), '>', 1))
    .orderBy('attributeId')
    .limit(limit)
    .execute()
}

const activeClaims = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('entityAttributes')
    .innerJoin('entityAspects', 'entityAspects.id', 'entityAttributes.aspectId')
    .innerJoin('entities', 'entities.id', 'entityAttributes.entityId')
    .where('entityAttributes.agentId', '=', agentId)
    .where('entityAttributes.status', '=', 'active')
    .where('entityAttributes.withheldAt', 'is', null)
    .where('entities.status', '=', 'active')
    .where('entities.sourceRoot', 'is', null)
