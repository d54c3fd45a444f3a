import { sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { ScoredClaim } from '../focal/score.ts'
import { tables } from './rows.ts'

const phrasesPerStatement = 500

/** Live entities of which a phrase is a name or an alias. */
export async function findNamed(db: Db, agentId: string, phrases: readonly string[]) {
  const found: Awaited<ReturnType<typeof selectNamed>> = []
  for (let at = 0; at < phrases.length; at += phrasesPerStatement) {
    const part = phrases.slice(at, at + phrasesPerStatement)
    found.push(...(await selectNamed(db, { agentId, phrases: part })))
  }
  return found
}

interface Named {
  readonly agentId: string
  readonly phrases: readonly string[]
}

const selectNamed = compileSelectOnce((db, { agentId, phrases }: Named) =>
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
    .where('name.phrase', 'in', phrases),
)

const maxHolders = 5

/** Live entities with one of the words in a name, for words that few names hold. */
export async function findByWords(db: Db, agentId: string, words: readonly string[]) {
  if (words.length === 0) return []
  const rows = await tables(db)
    .selectFrom('entityNameWords as name')
    .innerJoin('entities', 'entities.id', 'name.entityId')
    .select(['entities.id', 'entities.name', 'entities.entityType', 'entities.mentions'])
    .select('name.word')
    .where('name.agentId', '=', agentId)
    .where('name.word', 'in', words)
    .limit(words.length * (maxHolders + 1))
    .execute()
  const byWord = Map.groupBy(rows, ({ word }) => word)
  return rows.filter(({ word }) => (byWord.get(word)?.length ?? 0) <= maxHolders)
}

/** The best active claims of each entity with their aspects. */
export async function listBestClaims(
  db: Db,
  agentId: string,
  { entityIds, limit }: { readonly entityIds: readonly string[]; readonly limit: number },
): Promise<ScoredClaim[]> {
  const pages = await Promise.all(
    entityIds.map((entityId) =>
      tables(db)
        .selectFrom('entityAttributes as claim')
        .innerJoin('entityAspects as aspect', 'aspect.id', 'claim.aspectId')
        .selectAll('claim')
        .select('aspect.name as aspectName')
        .where('claim.entityId', '=', entityId)
        .where('claim.agentId', '=', agentId)
        .where('claim.status', '=', 'active')
        .where('claim.withheldAt', 'is', null)
        .orderBy('claim.importance', 'desc')
        .orderBy('claim.id')
        .limit(limit)
        .execute(),
    ),
  )
  return pages.flat()
}

interface Step {
  readonly entityIds: readonly string[]
  readonly minStrength: number
  readonly branching: number
}

/** The strongest outgoing links of each entity. */
export async function listStrongLinks(db: Db, agentId: string, step: Step) {
  if (step.entityIds.length === 0) return []
  const ranked = tables(db)
    .selectFrom('entityDependencies as link')
    .select([
      'link.id',
      'link.sourceEntityId',
      'link.targetEntityId',
      'link.dependencyType',
      'link.strength',
      sql<number>`row_number() over (partition by link.source_entity_id
        order by link.strength desc, link.id)`.as('place'),
    ])
    .where('link.sourceEntityId', 'in', step.entityIds)
    .where('link.agentId', '=', agentId)
    .where('link.status', '=', 'active')
    .where('link.withheldAt', 'is', null)
    .where('link.strength', '>=', step.minStrength)
  return tables(db)
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', step.branching)
    .execute()
}

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
