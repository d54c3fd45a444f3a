import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { raiseRevision } from './memories.ts'
import { tables } from './rows.ts'

/** Each row takes a revision of its own, so that a reader of pages misses none. */
export async function archiveMemories(db: Db, agentId: string): Promise<void> {
  const last = sql<number>`(select coalesce(max(position), 0) from memories)`
  // Holds the counter first: no position is given out between the two statements that follow.
  await raiseRevision(db)
  await tables(db)
    .updateTable('memoryRevision')
    .set((eb) => ({ value: eb('value', '+', last) }))
    .execute()
  await tables(db)
    .updateTable('memories')
    .set({
      visibility: 'archived',
      revision: sql<number>`(select value from memory_revision) - ${last} + position`,
    })
    .where('agentId', '=', agentId)
    .execute()
}

/** History, hints and counters go with their memory. */
export async function purgeMemories(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('temporalEdges').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('memories').where('agentId', '=', agentId).execute()
}
