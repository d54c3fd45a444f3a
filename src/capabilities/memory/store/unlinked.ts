import type { Expression, SqlBool } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

export interface UnlinkedFilter {
  readonly agentId: string
  /** Whether the memory in this column is linked. */
  readonly isLinked: (column: string) => Expression<SqlBool>
}

/** Live episodic memories of an agent outside namespaces, in the order of their positions. */
export function listUnlinked(
  db: Db,
  { after, limit, ...filter }: UnlinkedFilter & { readonly after: number; readonly limit: number },
) {
  return selectUnlinked(db, filter)
    .select(['position', 'id', 'content'])
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()
}

export async function countUnlinked(db: Db, filter: UnlinkedFilter): Promise<number> {
  const { count } = await selectUnlinked(db, filter)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function selectUnlinked(db: Db, { agentId, isLinked }: UnlinkedFilter) {
  return tables(db)
    .selectFrom('memories')
    .where('agentId', '=', agentId)
    .where('memoryKind', '=', 'episodic')
    .where('scope', 'is', null)
    .where('deletedAt', 'is', null)
    .where('visibility', '!=', 'archived')
    .where(({ not }) => not(isLinked('memories.id')))
}
