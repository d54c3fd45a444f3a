import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Live entities, the least mentioned first. */
export function listRarelyMentioned(db: Db, agentId: string, limit: number) {
  return tables(db)
    .selectFrom('entities')
    .select(['id', 'name', 'canonicalName', 'entityType', 'mentions'])
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
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
