import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** When each harness was heard of last; only what is kept of its sessions tells. */
export async function listHarnessesSeen(db: Db): Promise<ReadonlyMap<string, string>> {
  const present = tables(db)
    .selectFrom('sessionPresence')
    .select(({ fn }) => ['harness', fn.max('lastSeenAt').as('at')])
    .groupBy('harness')
  const ended = tables(db)
    .selectFrom('sessionScores')
    .select(({ fn }) => ['harness', fn.max('createdAt').as('at')])
    .groupBy('harness')
  const rows = await present.unionAll(ended).orderBy('at').execute()
  return new Map(rows.map(({ harness, at }) => [harness, at]))
}
