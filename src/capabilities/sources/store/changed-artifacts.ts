import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { EvidenceChanges } from '../../ontology/index.ts'
import { tables } from './rows.ts'

type After = Parameters<EvidenceChanges['sum']>[2]

/** Live artifacts of an agent after a cursor, without failures. */
const changed = (db: Db, agentId: string, { updatedAt, id }: After) =>
  tables(db)
    .selectFrom('sourceArtifacts')
    .where('agentId', '=', agentId)
    .where('isDeleted', '=', 0)
    .where('sourceKind', 'not like', '%failure')
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('updatedAt', 'sourcePath'), '>', tuple(updatedAt, id)),
    )

/** Artifacts whose text may have changed, in the order of their changes. */
export const artifactChanges: EvidenceChanges = {
  list: async (db, agentId, { after, limit }) => {
    const rows = await changed(db, agentId, after)
      .select([
        'sourcePath as id',
        'sourceSha256 as contentHash',
        'capturedAt as sourceTime',
        'updatedAt',
        sql<number | string>`length(content)`.as('chars'),
      ])
      .orderBy('updatedAt')
      .orderBy('sourcePath')
      .limit(limit)
      .execute()
    return rows.map(({ chars, ...row }) => ({ ...row, chars: Number(chars) }))
  },
  sum: async (db, agentId, after) => {
    const row = await changed(db, agentId, after)
      .select(sql<number | string | null>`sum(length(content))`.as('chars'))
      .select(({ fn }) => [
        fn.countAll<number | string>().as('count'),
        fn.min('capturedAt').as('oldestAt'),
      ])
      .executeTakeFirst()
    const { chars = 0, count = 0, oldestAt = null } = row ?? {}
    return { chars: Number(chars), count: Number(count), oldestAt }
  },
}
