import type { Db } from '../../../kernel/db/database.ts'
import type { SessionRef } from '../transcript.ts'
import { type CleanupRow, tables } from './rows.ts'

type Cleanup = Omit<CleanupRow, 'id'>

/** Undefined once all are cleaned. */
export async function findCleanup(db: Db): Promise<Cleanup | undefined> {
  const row = await tables(db)
    .selectFrom('transcriptCleanups')
    .select(['donePosition', 'lastPosition'])
    .executeTakeFirst()
  // PostgreSQL gives a bigint as text.
  return row && { donePosition: Number(row.donePosition), lastPosition: Number(row.lastPosition) }
}

export async function listUncleaned(
  db: Db,
  { donePosition, lastPosition }: Cleanup,
  limit: number,
): Promise<readonly (SessionRef & { readonly position: number })[]> {
  const rows = await tables(db)
    .selectFrom('sessionTranscripts')
    .select(['agentId', 'sessionKey', 'position'])
    .where('position', '>', donePosition)
    .where('position', '<=', lastPosition)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

export async function updateCleanup(db: Db, donePosition: number): Promise<void> {
  await tables(db)
    .updateTable('transcriptCleanups')
    .set({ donePosition })
    .where('donePosition', '<', donePosition)
    .execute()
}

export async function deleteCleanup(db: Db): Promise<void> {
  await tables(db).deleteFrom('transcriptCleanups').execute()
}
