import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Aspect } from '../aspect.ts'
import type { Claim, SubjectType } from '../claim.ts'
import type { Link } from '../link.ts'
import { tables } from './rows.ts'

interface Hidden {
  readonly ids: readonly string[]
  readonly withheldAt: string
}

/** Hides those of the claims that no live source supports. Returns them. */
export async function withholdClaims(
  db: Db,
  { ids, withheldAt }: Hidden,
): Promise<readonly Pick<Claim, 'id' | 'aspectId' | 'entityId'>[]> {
  if (ids.length === 0) return []
  return tables(db)
    .updateTable('entityAttributes')
    .set({ withheldAt })
    .where('id', 'in', ids)
    .where(isUnsupported('claim', 'entityAttributes'))
    .returning(['id', 'aspectId', 'entityId'])
    .execute()
}

/** Hides those of the links that no live source supports. Returns them. */
export async function withholdLinks(
  db: Db,
  { ids, withheldAt }: Hidden,
): Promise<readonly Pick<Link, 'id' | 'sourceEntityId' | 'targetEntityId'>[]> {
  if (ids.length === 0) return []
  return tables(db)
    .updateTable('entityDependencies')
    .set({ withheldAt })
    .where('id', 'in', ids)
    .where(isUnsupported('link', 'entityDependencies'))
    .returning(['id', 'sourceEntityId', 'targetEntityId'])
    .execute()
}

/** Hides those of the aspects that have neither a live source nor a visible claim. Returns them. */
export async function withholdAspects(
  db: Db,
  { ids, withheldAt }: Hidden,
): Promise<readonly Pick<Aspect, 'id' | 'entityId'>[]> {
  if (ids.length === 0) return []
  return tables(db)
    .updateTable('entityAspects')
    .set({ withheldAt })
    .where('id', 'in', ids)
    .where(isUnsupported('aspect', 'entityAspects'))
    .where(({ not }) => not(holds('entityAspects', 'entityAttributes.aspectId', isNotDeleted)))
    .returning(['id', 'entityId'])
    .execute()
}

/**
 * Hides those of the entities that have neither a live source nor a visible row, with their aliases.
 * Pinned ones stay. Returns the ids of the hidden ones.
 */
export async function withholdEntities(db: Db, { ids, withheldAt }: Hidden): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tables(db)
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
    .returning('id')
    .execute()
  const hiddenIds = rows.map(({ id }) => id)
  if (hiddenIds.length > 0)
    await tables(db)
      .updateTable('entityAliases')
      .set({ withheldAt })
      .where('entityId', 'in', hiddenIds)
      .execute()
  return hiddenIds
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
