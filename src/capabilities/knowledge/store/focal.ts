import { type SqlBool, sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

const phrasesPerStatement = 500

/** Live entities of which a phrase is a name or an alias. */
export async function findNamed(db: Db, agentId: string, phrases: readonly string[]) {
  const rows: Awaited<ReturnType<typeof selectNamed>> = []
  for (let at = 0; at < phrases.length; at += phrasesPerStatement) {
    const part = phrases.slice(at, at + phrasesPerStatement)
    const isLong = engineOf(db) === 'postgres' && part.length > maxListed
    const select = isLong ? selectNamedOfMany : selectNamed
    rows.push(...(await select(db, { agentId, phrases: part })))
  }
  return rows
}

/** For a longer list of phrases, PostgreSQL reads all names. */
const maxListed = 64

interface Named {
  readonly agentId: string
  readonly phrases: readonly string[]
}

const namedBy = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('entityNames as name')
    .innerJoin('entities', 'entities.id', 'name.entityId')
    .select([
      'entities.id',
      'entities.name',
      'entities.entityType',
      'entities.mentions',
      'entities.pinned',
      'name.phrase',
      'name.kind',
    ])
    .where('name.agentId', '=', agentId)

const selectNamed = compileSelectOnce((db, { agentId, phrases }: Named) =>
  namedBy(db, agentId).where('name.phrase', 'in', phrases),
)

/** Looks each phrase up in the index first. */
const selectNamedOfMany = compileSelectOnce((db, { agentId, phrases }: Named) => {
  const list = sql.join(phrases.map((phrase) => sql`(${phrase})`))
  return namedBy(db, agentId).where(
    sql<SqlBool>`name.phrase in (with candidate (phrase) as (values ${list})
      select phrase from candidate where (select 1 from entity_names as known
        where known.agent_id = ${agentId} and known.phrase = candidate.phrase limit 1) = 1)`,
  )
})

const maxHolders = 5

interface Worded {
  readonly agentId: string
  readonly words: readonly string[]
}

/** Live entities with one of the words in a name, for words that few names hold. */
export async function findByWords(db: Db, agentId: string, words: readonly string[]) {
  if (words.length === 0) return []
  const rows = await selectByWords(db, { agentId, words })
  const byWord = Map.groupBy(rows, ({ word }) => word)
  return rows.filter(({ word }) => (byWord.get(word)?.length ?? 0) <= maxHolders)
}

/** Reads one holder too many of each word, however many names hold it. */
const selectByWords = compileSelectOnce((db, { agentId, words }: Worded) => {
  const list = sql.join(words.map((word) => sql`(${word})`))
  const candidates = sql<{
    word: string
  }>`(select distinct column1 as word from (values ${list}) as list)`
  const holders = tables(db)
    .selectFrom('entityNameWords as name')
    .select('name.entityId')
    .where('name.agentId', '=', agentId)
    .where('name.word', '=', sql.ref<string>('candidate.word'))
    .limit(sql.lit(maxHolders + 1))
  const entities = tables(db).selectFrom(candidates.as('candidate'))
  const joined =
    engineOf(db) === 'postgres'
      ? entities
          .crossJoinLateral(holders.as('holder'))
          .innerJoin('entities', 'entities.id', 'holder.entityId')
      : entities.crossJoin('entities').where('entities.id', 'in', holders)
  return joined
    .select(['entities.id', 'entities.name', 'entities.entityType', 'entities.mentions'])
    .select('candidate.word')
})

export interface Step {
  readonly entityIds: readonly string[]
  readonly minStrength: number
  readonly branching: number
}

/** A link with the entity at its other end. */
export interface FocalLink {
  readonly fromId: string
  readonly toId: string
  readonly toName: string
  readonly dependencyType: string
  readonly strength: number
}

/** The strongest outgoing links of each entity. */
export async function listStrongLinks(db: Db, agentId: string, step: Step): Promise<FocalLink[]> {
  return step.entityIds.length === 0 ? [] : selectStrongLinks(db, { agentId, ...step })
}

/** The strongest outgoing links of each entity that the strongest links of these lead to. */
export async function listNextLinks(db: Db, agentId: string, step: Step): Promise<FocalLink[]> {
  return step.entityIds.length === 0 ? [] : selectNextLinks(db, { agentId, ...step })
}

type OfAgent = Step & { readonly agentId: string }

/** Links with their places among those of the entities where they start. */
const rankLinks = (db: Db, { agentId, minStrength }: Omit<OfAgent, 'entityIds'>) =>
  tables(db)
    .selectFrom('entityDependencies as link')
    .select([
      'link.sourceEntityId as fromId',
      'link.targetEntityId as toId',
      'link.dependencyType',
      'link.strength',
      sql<number>`row_number() over (partition by link.source_entity_id
        order by link.strength desc, link.id)`.as('place'),
    ])
    .where('link.agentId', '=', agentId)
    .where('link.status', '=', 'active')
    .where('link.withheldAt', 'is', null)
    .where('link.strength', '>=', minStrength)

const namedLinks = (db: Db, ranked: ReturnType<typeof rankLinks>, { branching }: OfAgent) =>
  tables(db)
    .selectFrom(ranked.as('ranked'))
    .innerJoin('entities', 'entities.id', 'ranked.toId')
    .select(['fromId', 'toId', 'entities.name as toName', 'dependencyType', 'strength'])
    .where('place', '<=', branching)
    .where('entities.status', '=', 'active')
    .where('entities.withheldAt', 'is', null)

const selectStrongLinks = compileSelectOnce((db, values: OfAgent) => {
  const links = rankLinks(db, values).where('link.sourceEntityId', 'in', values.entityIds)
  return namedLinks(db, links, values)
})

const selectNextLinks = compileSelectOnce((db, values: OfAgent) =>
  namedLinks(db, rankNextLinks(db, values), values),
)

const selectEnds = (db: Db, ranked: ReturnType<typeof rankLinks>, { branching }: OfAgent) =>
  tables(db)
    .selectFrom(ranked.as('ranked'))
    .select('ranked.toId')
    .where('ranked.place', '<=', branching)

const selectFirstEnds = (db: Db, values: OfAgent) =>
  selectEnds(db, rankLinks(db, values).where('link.sourceEntityId', 'in', values.entityIds), values)

const rankNextLinks = (db: Db, values: OfAgent) =>
  rankLinks(db, values).where('link.sourceEntityId', 'in', selectFirstEnds(db, values))

/** The ids of the entities that the strongest links lead to, in one step or two. */
export const selectReached = (db: Db, values: OfAgent) =>
  selectFirstEnds(db, values).unionAll(selectEnds(db, rankNextLinks(db, values), values))

interface Incoming {
  readonly entityIds: readonly string[]
  readonly types: readonly string[]
  readonly limit: number
}

/** Links of these types that end at one of the entities. */
export async function listIncomingLinks(
  db: Db,
  agentId: string,
  incoming: Incoming,
): Promise<FocalLink[]> {
  const { entityIds, types } = incoming
  if (entityIds.length === 0 || types.length === 0) return []
  return selectIncomingLinks(db, { agentId, ...incoming })
}

const selectIncomingLinks = compileSelectOnce(
  (db, { agentId, entityIds, limit, types }: Incoming & { readonly agentId: string }) =>
    tables(db)
      .selectFrom('entityDependencies as link')
      .innerJoin('entities', 'entities.id', 'link.sourceEntityId')
      .select([
        'link.targetEntityId as fromId',
        'link.sourceEntityId as toId',
        'entities.name as toName',
        'link.dependencyType',
        'link.strength',
      ])
      .where('link.targetEntityId', 'in', entityIds)
      .where('link.agentId', '=', agentId)
      .where('link.dependencyType', 'in', types)
      .where('link.status', '=', 'active')
      .where('link.withheldAt', 'is', null)
      .where('entities.status', '=', 'active')
      .where('entities.withheldAt', 'is', null)
      .limit(limit),
)

/** The live memories that claims cite. */
export async function listCitedMemories(
  db: Db,
  agentId: string,
  claimIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (claimIds.length === 0) return new Map()
  const rows = await selectCited(db, { agentId, claimIds })
  const groups = Map.groupBy(rows, ({ subjectId }) => subjectId)
  return new Map(
    [...groups].map(([id, cited]) => [id, cited.map(({ sourceId }) => sourceId)] as const),
  )
}

interface Citing {
  readonly agentId: string
  readonly claimIds: readonly string[]
}

const selectCited = compileSelectOnce((db, { agentId, claimIds }: Citing) =>
  tables(db)
    .selectFrom('knowledgeCitations')
    .select(['subjectId', 'sourceId'])
    .distinct()
    .where('subjectId', 'in', claimIds)
    .where('subjectType', '=', 'claim')
    .where('sourceKind', '=', 'memory')
    .where('agentId', '=', agentId)
    .where('lostAt', 'is', null),
)

/** The entities that the memories mention most. */
export async function listMentioned(
  db: Db,
  agentId: string,
  { memoryIds, limit }: { readonly memoryIds: readonly string[]; readonly limit: number },
) {
  if (memoryIds.length === 0) return []
  return tables(db)
    .selectFrom('memoryEntityMentions as mention')
    .innerJoin('entities', 'entities.id', 'mention.entityId')
    .select(({ fn }) => ['entities.id', 'entities.name', fn.countAll<number>().as('count')])
    .where('mention.memoryId', 'in', memoryIds)
    .where('mention.agentId', '=', agentId)
    .where('mention.lostAt', 'is', null)
    .where('entities.status', '=', 'active')
    .where('entities.withheldAt', 'is', null)
    .groupBy(['entities.id', 'entities.name'])
    .orderBy('count', 'desc')
    .orderBy('entities.id')
    .limit(limit)
    .execute()
}

/** The newest memories that mention the entities. */
export async function listMentioning(
  db: Db,
  agentId: string,
  { entityIds, limit }: { readonly entityIds: readonly string[]; readonly limit: number },
): Promise<string[]> {
  if (entityIds.length === 0) return []
  const rows = await tables(db)
    .selectFrom('memoryEntityMentions')
    .select('memoryId')
    .distinct()
    .where('entityId', 'in', entityIds)
    .where('agentId', '=', agentId)
    .where('lostAt', 'is', null)
    .orderBy('memoryId', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ memoryId }) => memoryId)
}
