import { type Expression, type SqlBool, sql } from 'kysely'
import { compileOnce, compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type Mention, tables } from './rows.ts'

/** The links of an entity to memories. */
export function listMentions(db: Db, agentId: string, entityId: string): Promise<Mention[]> {
  return tables(db)
    .selectFrom('memoryEntityMentions')
    .selectAll()
    .where('entityId', '=', entityId)
    .where('agentId', '=', agentId)
    .execute()
}

interface Pairs {
  readonly entityIds: readonly string[]
  readonly memoryIds: readonly string[]
}

const selectLinked = compileSelectOnce((db, { entityIds, memoryIds }: Pairs) =>
  tables(db)
    .selectFrom('memoryEntityMentions')
    .select(['entityId', 'memoryId'])
    .where('entityId', 'in', entityIds)
    .where('memoryId', 'in', memoryIds),
)

/** The links among some entities and memories of one agent. */
export async function listLinked(
  db: Db,
  pairs: Pairs,
): Promise<Pick<Mention, 'entityId' | 'memoryId'>[]> {
  const isEmpty = pairs.entityIds.length === 0 || pairs.memoryIds.length === 0
  return isEmpty ? [] : selectLinked(db, pairs)
}

const recountQuery = compileOnce((db, { ids }: { readonly ids: readonly string[] }) =>
  tables(db)
    .updateTable('entities')
    .set((eb) => ({
      mentions: eb
        .selectFrom('memoryEntityMentions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('memoryEntityMentions.entityId', '=', 'entities.id')
        .where('memoryEntityMentions.lostAt', 'is', null)
        .$asScalar()
        .$notNull(),
    }))
    .where('id', 'in', ids),
)

/** Counts the memories that are not forgotten. */
export async function recountMentions(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.executeQuery(recountQuery(db, { ids }).compile())
}

/** The entities that a memory is cited for, among the given pairs. */
export async function listCited(
  db: Db,
  pairs: readonly Pick<Mention, 'memoryId' | 'entityId'>[],
): Promise<Pick<Mention, 'memoryId' | 'entityId'>[]> {
  const memoryIds = [...new Set(pairs.map(({ memoryId }) => memoryId))]
  if (memoryIds.length === 0) return []
  const citations = () =>
    tables(db)
      .selectFrom('knowledgeCitations as citation')
      .where('citation.sourceKind', '=', 'memory')
      .where('citation.sourceId', 'in', memoryIds)
  const ofClaims = citations()
    .innerJoin('entityAttributes as claim', 'claim.id', 'citation.subjectId')
    .where('citation.subjectType', '=', 'claim')
    .select(['citation.sourceId as memoryId', 'claim.entityId'])
  const ofEntities = citations()
    .where('citation.subjectType', '=', 'entity')
    .select(['citation.sourceId as memoryId', 'citation.subjectId as entityId'])
  const ofLinks = (end: 'link.sourceEntityId' | 'link.targetEntityId') =>
    citations()
      .innerJoin('entityDependencies as link', 'link.id', 'citation.subjectId')
      .where('citation.subjectType', '=', 'link')
      .select(['citation.sourceId as memoryId', `${end} as entityId`])
  const cited = await ofClaims
    .union(ofEntities)
    .union(ofLinks('link.sourceEntityId'))
    .union(ofLinks('link.targetEntityId'))
    .execute()
  return cited.filter((one) =>
    pairs.some(({ memoryId, entityId }) => memoryId === one.memoryId && entityId === one.entityId),
  )
}

/** Whether the memory in this column mentions an entity. */
export function isMentioned(column: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from memory_entity_mentions
    where memory_entity_mentions.memory_id = ${sql.ref(column)})`
}

export async function insertMentions(db: Db, mentions: readonly Mention[]): Promise<void> {
  if (mentions.length === 0) return
  await tables(db)
    .insertInto('memoryEntityMentions')
    .values(mentions)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
