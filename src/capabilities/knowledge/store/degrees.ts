import { sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type Degrees, tables } from './rows.ts'

/** The number of active links of each linked entity. */
function degrees(db: Db, agentId: string) {
  const ends = (end: 'sourceEntityId' | 'targetEntityId') =>
    tables(db)
      .selectFrom('entityDependencies')
      .select(`${end} as entityId`)
      .where('agentId', '=', agentId)
      .where('status', '=', 'active')
      .where('withheldAt', 'is', null)
  const all = ends('sourceEntityId').unionAll(ends('targetEntityId')).as('ends')
  return tables(db)
    .selectFrom(all)
    .select(({ fn }) => ['entityId', fn.countAll<number | string>().as('degree')])
    .groupBy('entityId')
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

/** How many links the entities of an agent have; undefined before they are counted. */
export async function findDegrees(db: Db, agentId: string): Promise<Degrees | undefined> {
  const [row] = await selectDegrees(db, { agentId })
  return row
}

const selectDegrees = compileSelectOnce((db, { agentId }: { readonly agentId: string }) =>
  tables(db).selectFrom('knowledgeDegrees').selectAll().where('agentId', '=', agentId),
)

interface OfHubs {
  readonly memoryIds: readonly string[]
  /** Entities with so many links are hubs. */
  readonly minDegree: number
}

/** Those of the memories whose entities are all hubs. */
export async function listHubMemories(
  db: Db,
  agentId: string,
  { memoryIds, minDegree }: OfHubs,
): Promise<readonly string[]> {
  const skipped = minDegree - 1
  const rows = await selectHubMemories(db, { agentId, memoryIds, skipped })
  return rows.map(({ memoryId }) => memoryId)
}

interface HubValues {
  readonly agentId: string
  readonly memoryIds: readonly string[]
  readonly skipped: number
}

const selectHubMemories = compileSelectOnce((db, { agentId, memoryIds, skipped }: HubValues) => {
  const links = (end: 'sourceEntityId' | 'targetEntityId') =>
    tables(db)
      .selectFrom('entityDependencies as link')
      .select('link.id')
      .where(`link.${end}`, '=', sql.ref<string>('mention.entity_id'))
      .where('link.agentId', '=', agentId)
      .where('link.status', '=', 'active')
      .where('link.withheldAt', 'is', null)
  // A link after the skipped ones makes a hub, so that no more of them are read.
  const isHub = tables(db)
    .selectFrom(links('sourceEntityId').unionAll(links('targetEntityId')).as('link'))
    .select(sql<number>`1`.as('found'))
    .limit(1)
    .offset(skipped)
  return tables(db)
    .selectFrom('memoryEntityMentions as mention')
    .innerJoin('entities', 'entities.id', 'mention.entityId')
    .select('mention.memoryId')
    .where('mention.memoryId', 'in', memoryIds)
    .where('mention.agentId', '=', agentId)
    .where('mention.lostAt', 'is', null)
    .where('entities.status', '=', 'active')
    .groupBy('mention.memoryId')
    .having(({ fn }) => fn.min(sql<number>`coalesce((${isHub}), 0)`), '=', 1)
})

/** How many claims each memory supports, and how many of them are superseded. */
export async function countClaimsOf(db: Db, agentId: string, memoryIds: readonly string[]) {
  return memoryIds.length === 0 ? [] : selectClaimCounts(db, { agentId, memoryIds })
}

interface Counted {
  readonly agentId: string
  readonly memoryIds: readonly string[]
}

const selectClaimCounts = compileSelectOnce((db, { agentId, memoryIds }: Counted) =>
  tables(db)
    .selectFrom('knowledgeCitations as citation')
    .innerJoin('entityAttributes as claim', 'claim.id', 'citation.subjectId')
    .select(({ fn }) => [
      'citation.sourceId as memoryId',
      fn.countAll<number | string>().as('claims'),
      sql<number | string>`sum(case when claim.status = 'superseded' then 1 else 0 end)`.as(
        'superseded',
      ),
    ])
    .where('citation.sourceId', 'in', memoryIds)
    .where('citation.sourceKind', '=', 'memory')
    .where('citation.agentId', '=', agentId)
    .where('citation.subjectType', '=', 'claim')
    .where('citation.lostAt', 'is', null)
    .where('claim.withheldAt', 'is', null)
    .where('claim.status', '!=', 'deleted')
    .groupBy('citation.sourceId'),
)
