import type { Db } from '../../../kernel/db/database.ts'
import type { Entity } from '../entity.ts'
import { tables } from './rows.ts'

/** Groups of entities whose names have one phrase: `Node.js` and `node js`. */
export async function listDuplicates(
  db: Db,
  agentId: string,
  limit: number,
): Promise<readonly (readonly Entity[])[]> {
  const phrases = await tables(db)
    .selectFrom('entityNames')
    .select('phrase')
    .where('agentId', '=', agentId)
    .where('kind', '=', 'name')
    .groupBy('phrase')
    .having(({ fn, eb }) => eb(fn.countAll(), '>', 1))
    .orderBy('phrase')
    .limit(limit)
    .execute()
  if (phrases.length === 0) return []
  const rows = await tables(db)
    .selectFrom('entityNames')
    .innerJoin('entities', 'entities.id', 'entityNames.entityId')
    .selectAll('entities')
    .select('entityNames.phrase')
    .where('entityNames.agentId', '=', agentId)
    .where('entityNames.kind', '=', 'name')
    .where(
      'entityNames.phrase',
      'in',
      phrases.map(({ phrase }) => phrase),
    )
    .where('entities.status', '=', 'active')
    .where('entities.withheldAt', 'is', null)
    .where('entities.sourceRoot', 'is', null)
    .execute()
  const groups = Map.groupBy(rows, ({ phrase }) => phrase)
  return [...groups.values()].filter((group) => group.length > 1)
}
