import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Fewer than a statement may have parameters. */
const partLength = 400

async function inParts<Row>(
  ids: readonly string[],
  list: (part: string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const unique = [...new Set(ids)]
  const rows: Row[] = []
  for (let at = 0; at < unique.length; at += partLength)
    rows.push(...(await list(unique.slice(at, at + partLength))))
  return rows
}

/** Active entities with their aliases, the most mentioned first. */
export async function listNames(db: Db, agentId: string, limit: number) {
  const entities = await tables(db)
    .selectFrom('entities')
    .select([
      'id',
      'name',
      'canonicalName',
      'entityType',
      'mentions',
      'pinned',
      'sourceRoot',
      'createdAt',
    ])
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .orderBy('mentions', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  const aliases = await tables(db)
    .selectFrom('entityAliases')
    .select(['entityId', 'alias'])
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .orderBy('alias')
    .execute()
  const byEntity = Map.groupBy(aliases, ({ entityId }) => entityId)
  return entities.map((entity) => ({
    ...entity,
    aliases: (byEntity.get(entity.id) ?? []).map(({ alias }) => alias),
  }))
}

const claimColumns = [
  'entityAttributes.id',
  'entityAttributes.entityId',
  'entityAttributes.aspectId',
  'entityAttributes.groupKey',
  'entityAttributes.claimKey',
  'entityAttributes.content',
  'entityAttributes.normalizedContent',
  'entityAttributes.assertedAt',
  'entityAttributes.confidence',
  'entityAttributes.pinned',
  'entityAttributes.kind',
  'entityAttributes.status',
  'entityAttributes.reviewAfter',
  'entityAspects.canonicalName as aspect',
  'entities.name as entity',
] as const

const visibleClaims = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('entityAttributes')
    .innerJoin('entityAspects', 'entityAspects.id', 'entityAttributes.aspectId')
    .innerJoin('entities', 'entities.id', 'entityAttributes.entityId')
    .select(claimColumns)
    .where('entityAttributes.agentId', '=', agentId)
    .where('entityAttributes.withheldAt', 'is', null)

/** Claim values of entities in any status, with the names of their slots. */
export function listClaimsOf(db: Db, agentId: string, entityIds: readonly string[]) {
  return inParts(entityIds, (part) =>
    visibleClaims(db, agentId)
      .where('entityAttributes.entityId', 'in', part)
      .orderBy('entityAttributes.id')
      .execute(),
  )
}

/** Claim values in any status. */
export function listClaimsById(db: Db, agentId: string, ids: readonly string[]) {
  return inParts(ids, (part) =>
    visibleClaims(db, agentId).where('entityAttributes.id', 'in', part).execute(),
  )
}

/** Live citations of claim values. */
export function listClaimCitations(db: Db, agentId: string, ids: readonly string[]) {
  return inParts(ids, (part) =>
    tables(db)
      .selectFrom('knowledgeCitations')
      .select(['subjectId', 'sourceKind', 'sourceId', 'quote', 'sourceTime'])
      .where('subjectType', '=', 'claim')
      .where('subjectId', 'in', part)
      .where('agentId', '=', agentId)
      .where('lostAt', 'is', null)
      .orderBy('sourceTime')
      .execute(),
  )
}
