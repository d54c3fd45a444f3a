import type { Db } from '../../../kernel/db/database.ts'
import type { HistoryEvent } from '../history-event.ts'
import { tables } from './rows.ts'

export async function insertHistory(db: Db, event: HistoryEvent): Promise<void> {
  const metadata = event.metadata && JSON.stringify(event.metadata)
  await tables(db)
    .insertInto('memoryHistory')
    .values({ ...event, metadata })
    .execute()
}

export async function listHistory(
  db: Db,
  memoryId: string,
  limit: number,
): Promise<HistoryEvent[]> {
  const rows = await tables(db)
    .selectFrom('memoryHistory')
    .selectAll()
    .where('memoryId', '=', memoryId)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(({ position, ...row }) => ({
    ...row,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  }))
}
