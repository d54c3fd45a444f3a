import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Aspect } from '../aspect.ts'
import type { Claim } from '../claim.ts'
import type { Entity } from '../entity.ts'
import type { Link } from '../link.ts'
import { type Tables, tables } from './rows.ts'

/** The agents whose rows are shown: all rows of the reader, global rows of the others. */
export interface OverlayScope {
  readonly agentId: string
  readonly otherIds: readonly string[]
}

/** Entities that hold something, without those of source indexing. */
export async function listOverlayEntities(
  db: Db,
  { agentId, otherIds }: OverlayScope,
  limit: number,
): Promise<Entity[]> {
  const own = await selectVisible(db, [agentId]).where(holdsAny()).limit(limit).execute()
  if (otherIds.length === 0 || own.length >= limit) return own
  const others = await selectVisible(db, otherIds)
    .where(holdsGlobal())
    .limit(limit - own.length)
    .execute()
  const mentions = await countGlobalMentions(db, others)
  const shared = others.map((entity) => ({ ...entity, mentions: mentions.get(entity.id) ?? 0 }))
  return [...own, ...shared]
}

function selectVisible(db: Db, agentIds: readonly string[]) {
  return tables(db)
    .selectFrom('entities')
    .selectAll()
    .where('agentId', 'in', agentIds)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where('sourceRoot', 'is', null)
    .where(sql<SqlBool>`entity_type <> 'source' and substr(entity_type, 1, 7) <> 'source_'`)
    .orderBy('pinned', 'desc')
    .orderBy('pinnedAt', 'desc')
    .orderBy('mentions', 'desc')
    .orderBy('updatedAt', 'desc')
    .orderBy('name')
}

const live = sql<SqlBool>`status = 'active' and withheld_at is null`

function holds(table: string, column: string, condition = live): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)}
    where ${sql.ref(column)} = entities.id and ${condition})`
}

function holdsAny(): Expression<SqlBool> {
  const { or, eb } = expressionBuilder<Tables, 'entities'>()
  return or([
    eb('mentions', '>', 0),
    eb('pinned', '=', 1),
    holds('entity_aspects', 'entity_id'),
    holds('entity_dependencies', 'source_entity_id'),
    holds('entity_dependencies', 'target_entity_id'),
  ])
}

function holdsGlobal(): Expression<SqlBool> {
  const { or } = expressionBuilder<Tables, 'entities'>()
  const global = sql<SqlBool>`${live} and visibility = 'global'`
  return or([
    holds('entity_attributes', 'entity_id', global),
    holds('entity_dependencies', 'source_entity_id', global),
    holds('entity_dependencies', 'target_entity_id', global),
  ])
}

/** Global memories that the claims of the entities cite. */
async function countGlobalMentions(
  db: Db,
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, number>> {
  if (entities.length === 0) return new Map()
  const rows = await tables(db)
    .selectFrom('entityAttributes as claim')
    .innerJoin('knowledgeCitations as citation', 'citation.subjectId', 'claim.id')
    .select(({ fn }) => [
      'claim.entityId',
      fn.count<number | string>('citation.sourceId').distinct().as('count'),
    ])
    .where(
      'claim.entityId',
      'in',
      entities.map(({ id }) => id),
    )
    .where('claim.visibility', '=', 'global')
    .where('claim.withheldAt', 'is', null)
    .where('citation.subjectType', '=', 'claim')
    .where('citation.sourceKind', '=', 'memory')
    .where('citation.visibility', '=', 'global')
    .where('citation.lostAt', 'is', null)
    .groupBy('claim.entityId')
    .execute()
  return new Map(rows.map(({ entityId, count }) => [entityId, Number(count)]))
}

interface OverlayPart {
  readonly agentId: string
  readonly entityIds: readonly string[]
  readonly limit: number
}

/** The heaviest aspects of each entity. */
export async function listOverlayAspects(
  db: Db,
  { entityIds, limit }: OverlayPart,
): Promise<Aspect[]> {
  if (entityIds.length === 0) return []
  const ranked = tables(db)
    .selectFrom('entityAspects')
    .selectAll()
    .select(
      sql<number>`row_number() over (partition by entity_id
        order by weight desc, canonical_name)`.as('place'),
    )
    .where('entityId', 'in', entityIds)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
  const rows = await tables(db)
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', limit)
    .orderBy('entityId')
    .orderBy('place')
    .execute()
  return rows.map(({ place, ...aspect }) => aspect)
}

/** Claims of one overlay, so that its reply stays small. */
const maxClaims = 3_000

const countEvidence = (type: string, id: string) =>
  sql<number>`(select count(*) from knowledge_citations c where c.subject_id = ${sql.ref(id)}
    and c.subject_type = ${sql.lit(type)} and c.lost_at is null)`

/** What the overlay shows of a claim. Each further column costs event-loop time for thousands of rows. */
const claimColumns = [
  'id',
  'aspectId',
  'content',
  'kind',
  'importance',
  'memoryId',
  'version',
  'versionRootId',
  'previousAttributeId',
  'groupKey',
  'claimKey',
  'sourceKind',
  'sourcePath',
  'proposalId',
] as const

type OverlayClaim = Pick<Claim, (typeof claimColumns)[number]> & { readonly evidenceCount: number }

/** The most important claims of each aspect. */
export async function listOverlayClaims(
  db: Db,
  { agentId, entityIds, limit }: OverlayPart,
): Promise<OverlayClaim[]> {
  if (entityIds.length === 0) return []
  const ranked = tables(db)
    .selectFrom('entityAttributes')
    .select('id')
    .select(
      sql<number>`row_number() over (partition by aspect_id order by importance desc, id)`.as(
        'place',
      ),
    )
    .where('entityId', 'in', entityIds)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where(({ or, eb }) => or([eb('agentId', '=', agentId), eb('visibility', '=', 'global')]))
  const chosen = tables(db)
    .selectFrom(ranked.as('ranked'))
    .select(['id', 'place'])
    .where('place', '<=', limit)
    .orderBy('place')
    .limit(maxClaims)
  // The other columns are read of the chosen claims only.
  const rows = await tables(db)
    .selectFrom(chosen.as('chosen'))
    .innerJoin('entityAttributes as claim', 'claim.id', 'chosen.id')
    .select(claimColumns.map((column) => `claim.${column}` as const))
    .select(countEvidence('claim', 'claim.id').as('evidenceCount'))
    .orderBy('chosen.place')
    .execute()
  return rows.map((claim) => ({ ...claim, evidenceCount: Number(claim.evidenceCount) }))
}

const linkColumns = [
  'sourceEntityId',
  'targetEntityId',
  'dependencyType',
  'strength',
  'status',
  'proposalId',
] as const

type OverlayLink = Pick<Link, (typeof linkColumns)[number]> & { readonly evidenceCount: number }

/** Links with both ends among the entities, the strongest first. */
export async function listOverlayLinks(
  db: Db,
  { agentId, entityIds, limit }: OverlayPart,
): Promise<OverlayLink[]> {
  if (entityIds.length === 0 || limit === 0) return []
  const rows = await tables(db)
    .selectFrom('entityDependencies as link')
    .select(linkColumns.map((column) => `link.${column}` as const))
    .select(countEvidence('link', 'link.id').as('evidenceCount'))
    .where('link.sourceEntityId', 'in', entityIds)
    .where('link.targetEntityId', 'in', entityIds)
    .where('link.status', '=', 'active')
    .where('link.withheldAt', 'is', null)
    .where(({ or, eb }) =>
      or([eb('link.agentId', '=', agentId), eb('link.visibility', '=', 'global')]),
    )
    .orderBy('link.strength', 'desc')
    .orderBy('link.id')
    .limit(limit)
    .execute()
  return rows.map((link) => ({ ...link, evidenceCount: Number(link.evidenceCount) }))
}
