import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** The number of active links of each entity, among these entities or all of the agent. */
function degrees(db: Db, agentId: string, entityIds?: readonly string[]) {
  const ends = (end: 'sourceEntityId' | 'targetEntityId') => {
    const links = tables(db)
      .selectFrom('entityDependencies')
      .select(`${end} as entityId`)
      .where('agentId', '=', agentId)
      .where('status', '=', 'active')
      .where('withheldAt', 'is', null)
    return entityIds ? links.where(end, 'in', entityIds) : links
  }
  const all = ends('sourceEntityId').unionAll(ends('targetEntityId')).as('ends')
  return tables(db)
    .selectFrom(all)
    .select(({ fn }) => ['entityId', fn.countAll<number | string>().as('degree')])
    .groupBy('entityId')
}

export async function listDegrees(
  db: Db,
  agentId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (entityIds.length === 0) return new Map()
  const rows = await degrees(db, agentId, entityIds).execute()
  return new Map(rows.map(({ entityId, degree }) => [entityId, Number(degree)]))
}

/** Counts the linked entities of each agent and saves the 90th percentile of their links. */
export async function saveDegrees(db: Db, computedAt: string): Promise<void> {
  const linkedAgents = await tables(db)
    .selectFrom('entityDependencies')
    .select('agentId')
    .distinct()
    .execute()
  for (const { agentId } of linkedAgents) {
    const linked = tables(db).selectFrom(degrees(db, agentId).as('linked'))
    const { count } = await linked
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    const entities = Number(count)
    const place = Math.max(0, Math.ceil(0.9 * entities) - 1)
    const row = await linked
      .select('degree')
      .orderBy('degree')
      .limit(1)
      .offset(place)
      .executeTakeFirst()
    const set = { entities, p90: Number(row?.degree ?? 0), computedAt }
    await tables(db)
      .insertInto('knowledgeDegrees')
      .values({ agentId, ...set })
      .onConflict((conflict) => conflict.column('agentId').doUpdateSet(set))
      .execute()
  }
}

export function findDegrees(db: Db, agentId: string) {
  return tables(db)
    .selectFrom('knowledgeDegrees')
    .select(['entities', 'p90'])
    .where('agentId', '=', agentId)
    .executeTakeFirst()
}

/** The active entities that each memory is cited for or names. */
export async function listEntitiesOf(db: Db, agentId: string, memoryIds: readonly string[]) {
  if (memoryIds.length === 0) return []
  return tables(db)
    .selectFrom('memoryEntityMentions as mention')
    .innerJoin('entities', 'entities.id', 'mention.entityId')
    .select(['mention.memoryId', 'mention.entityId'])
    .where('mention.memoryId', 'in', memoryIds)
    .where('mention.agentId', '=', agentId)
    .where('mention.lostAt', 'is', null)
    .where('entities.status', '=', 'active')
    .execute()
}

/** How many claims each memory supports, and how many of them are superseded. */
export async function countClaimsOf(db: Db, agentId: string, memoryIds: readonly string[]) {
  if (memoryIds.length === 0) return []
  const superseded = sql<
    number | string
  >`sum(case when claim.status = 'superseded' then 1 else 0 end)`
  return tables(db)
    .selectFrom('knowledgeCitations as citation')
    .innerJoin('entityAttributes as claim', 'claim.id', 'citation.subjectId')
    .select(({ fn }) => [
      'citation.sourceId as memoryId',
      fn.countAll<number | string>().as('claims'),
    ])
    .select(superseded.as('superseded'))
    .where('citation.sourceId', 'in', memoryIds)
    .where('citation.sourceKind', '=', 'memory')
    .where('citation.agentId', '=', agentId)
    .where('citation.subjectType', '=', 'claim')
    .where('citation.lostAt', 'is', null)
    .where('claim.withheldAt', 'is', null)
    .where('claim.status', '!=', 'deleted')
    .groupBy('citation.sourceId')
    .execute()
}
