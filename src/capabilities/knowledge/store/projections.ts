import { compileOnce, compileSelectOnce, withoutIndex } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

interface Claims {
  readonly agentId: string
  readonly ids: readonly string[]
}

const selectProjectable = compileSelectOnce((db, { agentId, ids }: Claims) =>
  tables(db)
    .selectFrom('entityAttributes as claim')
    .innerJoin('entities', 'entities.id', 'claim.entityId')
    .leftJoin('entityAttributes as successor', (join) =>
      join
        .onRef('successor.id', '=', 'claim.supersededBy')
        .on('successor.withheldAt', 'is', null)
        .on('successor.status', '!=', 'deleted'),
    )
    .selectAll('claim')
    .select(['entities.name as entityName', 'successor.id as successorId'])
    .where(({ eb }) => withoutIndex(eb('claim.agentId', '=', agentId)))
    .where('claim.id', 'in', ids),
)

/** Claims with the name of their entity, and the successor that has a derived memory. */
export async function listProjectable(db: Db, agentId: string, ids: readonly string[]) {
  return ids.length === 0 ? [] : selectProjectable(db, { agentId, ids })
}

/** The derived memory has the id of its claim. */
export const markProjectedQuery = compileOnce((db, { ids }: Pick<Claims, 'ids'>) =>
  tables(db)
    .updateTable('entityAttributes')
    .set((eb) => ({ memoryId: eb.ref('id') }))
    .where('id', 'in', ids),
)

export async function listEntitiesOfClaims(db: Db, ids: readonly string[]): Promise<string[]> {
  const entityIds = new Set<string>()
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await tables(db)
      .selectFrom('entityAttributes')
      .select('entityId')
      .distinct()
      .where('id', 'in', ids.slice(at, at + 500))
      .execute()
    for (const { entityId } of rows) entityIds.add(entityId)
  }
  return [...entityIds]
}

/** Claims with a derived memory, by id. */
export async function listProjectedIds(
  db: Db,
  page: { readonly entityId: string; readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('entityAttributes')
    .select('id')
    .where('entityId', '=', page.entityId)
    .where('memoryId', 'is not', null)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return rows.map(({ id }) => id)
}
