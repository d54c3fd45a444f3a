import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

const maxIds = 20

/** Rows that belong to entities or aspects which no longer exist. */
export async function listDangling(
  db: Db,
  removed: { readonly entityIds: readonly string[]; readonly aspectIds: readonly string[] },
): Promise<string[]> {
  const { entityIds, aspectIds } = removed
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const ofEntities = async (
    table: 'entityAspects' | 'entityAttributes' | 'entityAliases' | 'entityDependencies',
    column: string,
  ) =>
    tables(db)
      .selectFrom(table)
      .select('id')
      .where(db.dynamic.ref(column), 'in', entityIds)
      .limit(maxIds)
      .execute()
  const links =
    entityIds.length === 0
      ? []
      : await Promise.all([
          ofEntities('entityAspects', 'entityId'),
          ofEntities('entityAttributes', 'entityId'),
          ofEntities('entityAliases', 'entityId'),
          ofEntities('entityDependencies', 'sourceEntityId'),
          ofEntities('entityDependencies', 'targetEntityId'),
        ])
  const ofAspects =
    aspectIds.length === 0
      ? []
      : await tables(db)
          .selectFrom('entityAttributes')
          .select('id')
          .where('aspectId', 'in', aspectIds)
          .limit(maxIds)
          .execute()
  return [...links.flatMap(ids), ...ids(ofAspects)]
}
