import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'
import { isNoSourceRow } from './source-nodes.ts'

/** Live entities, the least mentioned first. */
export function listRarelyMentioned(db: Db, agentId: string, limit: number) {
  return tables(db)
    .selectFrom('entities')
    .select(['id', 'name', 'canonicalName', 'entityType', 'mentions'])
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where('sourceRoot', 'is', null)
    .orderBy('mentions')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Entities whose names are the same words. */
export async function listSamePhrases(db: Db, agentId: string, limit: number) {
  const groups = await tables(db)
    .selectFrom('entityNames')
    .select('phrase')
    .where('agentId', '=', agentId)
    .where('kind', '=', 'name')
    .groupBy('phrase')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .orderBy('phrase')
    .limit(limit)
    .execute()
  if (groups.length === 0) return []
  return tables(db)
    .selectFrom('entityNames as name')
    .innerJoin('entities', 'entities.id', 'name.entityId')
    .select(['name.phrase', 'entities.id', 'entities.name'])
    .where('name.agentId', '=', agentId)
    .where('name.kind', '=', 'name')
    .where(
      'name.phrase',
      'in',
      groups.map(({ phrase }) => phrase),
    )
    .orderBy('name.phrase')
    .orderBy('entities.mentions', 'desc')
    .orderBy('entities.id')
    .execute()
}

/** Active claims that lack a key or a source memory. */
export async function countIncomplete(db: Db, agentId: string) {
  const active = tables(db)
    .selectFrom('entityAttributes')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where(isNoSourceRow('id'))
  const isCited = tables(db)
    .selectFrom('knowledgeCitations')
    .select('subjectId')
    .where(sql<SqlBool>`knowledge_citations.subject_id = entity_attributes.id`)
    .where('subjectType', '=', 'claim')
    .where('sourceKind', '=', 'memory')
    .where('lostAt', 'is', null)
  const [group, claim, source] = [
    await active.where('groupKey', '=', '').executeTakeFirstOrThrow(),
    await active.where('claimKey', '=', '').executeTakeFirstOrThrow(),
    await active.where(({ not, exists }) => not(exists(isCited))).executeTakeFirstOrThrow(),
  ]
  return {
    missingGroupKey: Number(group.count),
    missingClaimKey: Number(claim.count),
    missingSourceMemory: Number(source.count),
  }
}

const activeClaims = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('entityAttributes')
    .innerJoin('entities', 'entities.id', 'entityAttributes.entityId')
    .select([
      'entityAttributes.id',
      'entityAttributes.entityId',
      'entities.name as entityName',
      'entityAttributes.claimKey',
    ])
    .where('entityAttributes.agentId', '=', agentId)
    .where('entityAttributes.status', '=', 'active')
    .where('entityAttributes.withheldAt', 'is', null)

/** Active claims without a live citation: a fault. */
export function listUncited(db: Db, agentId: string, limit: number) {
  const isCited = tables(db)
    .selectFrom('knowledgeCitations')
    .select('subjectId')
    .where(sql<SqlBool>`knowledge_citations.subject_id = entity_attributes.id`)
    .where('subjectType', '=', 'claim')
    .where('lostAt', 'is', null)
  return activeClaims(db, agentId)
    .where(({ not, exists }) => not(exists(isCited)))
    .orderBy('entityAttributes.id')
    .limit(limit)
    .execute()
}

/** The newest active claims, one row for each live citation. */
export function listRecentClaims(db: Db, agentId: string, limit: number) {
  const recent = activeClaims(db, agentId).orderBy('entityAttributes.id', 'desc').limit(limit)
  return tables(db)
    .selectFrom(recent.as('recent'))
    .innerJoin('knowledgeCitations as citation', 'citation.subjectId', 'recent.id')
    .select(['recent.id', 'entityId', 'entityName', 'claimKey'])
    .select(['citation.sourceKind', 'citation.sourceId'])
    .where('citation.subjectType', '=', 'claim')
    .where('citation.lostAt', 'is', null)
    .orderBy('recent.id')
    .execute()
}
