import type { Db } from '../../../kernel/db/database.ts'
import type { HistoryEvent } from '../history-event.ts'
import { tables } from './rows.ts'

export async function insertHistory(db: Db, event: HistoryEvent): Promise<void> {
  await historyOf(db, event).execute()
}

/** Nothing is inserted where the memory is not there. */
export function historyOf(db: Db, event: HistoryEvent) {
  const metadata = event.metadata && JSON.stringify(event.metadata)
  const row = Object.entries({ ...event, metadata })
  return tables(db)
    .insertInto('memoryHistory')
    .columns(row.map(([column]) => column as keyof HistoryEvent))
    .expression((eb) =>
      eb
        .selectFrom('memories')
        .select(row.map(([column, value]) => eb.val(value).as(column)))
        .where('memories.id', '=', event.memoryId),
    )
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
