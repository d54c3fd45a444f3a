import { type Expression, type SqlBool, sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import type { Aspect } from '../aspect.ts'
import type { Claim, SubjectType } from '../claim.ts'
import type { Link } from '../link.ts'
import { tables } from './rows.ts'

interface Hidden {
  readonly ids: readonly string[]
  readonly withheldAt: string
}

const hideClaims = compileSelectOnce((db, { ids, withheldAt }: Hidden) =>
  tables(db)
    .updateTable('entityAttributes')
    .set({ withheldAt })
    .where('id', 'in', ids)
    .where(isUnsupported('claim', 'entityAttributes'))
    .returning(['id', 'aspectId', 'entityId']),
)

/** Hides those of the claims that no live source supports. Returns them. */
export function withholdClaims(
  db: Db,
  { ids, withheldAt }: Hidden,
): Promise<Pick<Claim, 'id' | 'aspectId' | 'entityId'>[]> {
  return inParts(ids, (part) => hideClaims(db, { ids: part, withheldAt }))
}

const hideLinks = compileSelectOnce((db, { ids, withheldAt }: Hidden) =>
  tables(db)
    .updateTable('entityDependencies')
    .set({ withheldAt })
    .where('id', 'in', ids)
    .where(isUnsupported('link', 'entityDependencies'))
    .returning(['id', 'sourceEntityId', 'targetEntityId']),
)

/** Hides those of the links that no live source supports. Returns them. */
export function withholdLinks(
  db: Db,
  { ids, withheldAt }: Hidden,
): Promise<Pick<Link, 'id' | 'sourceEntityId' | 'targetEntityId'>[]> {
  return inParts(ids, (part) => hideLinks(db, { ids: part, withheldAt }))
}

const hideAspects = compileSelectOnce((db, { ids, withheldAt }: Hidden) =>
  tables(db)
    .updateTable('entityAspects')
    .set({ withheldAt })
    .where('id', 'in', ids)
    .where(isUnsupported('aspect', 'entityAspects'))
    .where(({ not }) => not(holds('entityAspects', 'entityAttributes.aspectId', isNotDeleted)))
    .returning(['id', 'entityId']),
)

/** Hides those of the aspects that have neither a live source nor a visible claim. Returns them. */
export function withholdAspects(
  db: Db,
  { ids, withheldAt }: Hidden,
): Promise<Pick<Aspect, 'id' | 'entityId'>[]> {
  return inParts(ids, (part) => hideAspects(db, { ids: part, withheldAt }))
}

const hideEntities = compileSelectOnce((db, { ids, withheldAt }: Hidden) =>
  tables(db)
    .updateTable('entities')
    .set({ withheldAt })
    .where('id', 'in', ids)
    .where('pinned', '=', 0)
    .where(isUnsupported('entity', 'entities'))
    .where(({ not, or }) =>
      not(
        or([
          holds('entities', 'entityAttributes.entityId', isNotDeleted),
          holds('entities', 'entityAspects.entityId', isActive),
          holds('entities', 'entityDependencies.sourceEntityId', isActive),
          holds('entities', 'entityDependencies.targetEntityId', isActive),
        ]),
      ),
    )
    .returning('id'),
)

/**
 * Hides those of the entities that have neither a live source nor a visible row, with their aliases.
 * Pinned ones stay. Returns the ids of the hidden ones.
 */
export async function withholdEntities(db: Db, { ids, withheldAt }: Hidden): Promise<string[]> {
  const rows = await inParts(ids, (part) => hideEntities(db, { ids: part, withheldAt }))
  const hiddenIds = rows.map(({ id }) => id)
  if (hiddenIds.length > 0)
    await tables(db)
      .updateTable('entityAliases')
      .set({ withheldAt })
      .where('entityId', 'in', hiddenIds)
      .execute()
  return hiddenIds
}

async function inParts<Row>(
  ids: readonly string[],
  hide: (part: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  return (await Promise.all(listParts(ids).map(hide))).flat()
}

/** Superseded claims are history and count, too. */
const isNotDeleted = sql`status <> 'deleted'`
const isActive = sql`status = 'active'`

function holds(
  owner: string,
  column: `${string}.${string}`,
  condition: Expression<unknown>,
): Expression<SqlBool> {
  const [table = ''] = column.split('.')
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)}
    where ${sql.ref(column)} = ${sql.ref(`${owner}.id`)} and ${condition} and withheld_at is null)`
}

function isUnsupported(type: SubjectType, owner: string): Expression<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from knowledge_citations
    where subject_id = ${sql.ref(`${owner}.id`)} and subject_type = ${type} and lost_at is null)`
}
