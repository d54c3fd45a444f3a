import { type Expression, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { executeBatch, type Write } from '../../../kernel/db/execute-batch.ts'
import { insertRowsQuery } from '../../../kernel/db/row-writes.ts'
import type { HistoryEvent, SystemEvent } from '../memory.ts'
import { type HistoryRow, tables } from './rows.ts'

export async function insertHistory(db: Db, event: HistoryEvent): Promise<void> {
  await executeBatch(db, insertHistoryQueries(db, [event]))
}

const insertedRows = {
  table: 'memoryHistory',
  condition: (readValue: (column: string) => Expression<unknown>) =>
    sql`exists (select 1 from memories where memories.id = ${readValue('memoryId')})`,
}

/** Inserts the events of memories that exist, in one statement. */
export function insertHistoryQueries(db: Db, events: readonly HistoryEvent[]): Write[] {
  return events.length === 0 ? [] : [insertRowsQuery(db, insertedRows, events.map(toHistoryRow))]
}

function toHistoryRow({ metadata, ...event }: HistoryEvent): Omit<HistoryRow, 'position'> {
  return { ...event, metadata: metadata && JSON.stringify(metadata) }
}

type SystemTables = {
  memoryHistory: Omit<SystemEvent, 'metadata'> & {
    readonly memoryId: 'system'
    readonly event: 'none'
    readonly metadata: string
  }
}

export async function insertSystemEvent(db: Db, event: SystemEvent): Promise<void> {
  const metadata = JSON.stringify(event.metadata)
  await db
    .withTables<SystemTables>()
    .insertInto('memoryHistory')
    .values({ ...event, memoryId: 'system', event: 'none', metadata })
    .execute()
}

/** The original content is in the first replacement, else in the memory itself. */
export async function listHistory(
  db: Db,
  memoryId: string,
  limit: number,
): Promise<HistoryEvent[]> {
  const history = tables(db).selectFrom('memoryHistory').where('memoryId', '=', memoryId)
  const firstReplacedContent = history.select('oldContent').where('oldContent', 'is not', null)
  const currentContent = tables(db)
    .selectFrom('memories')
    .select('content')
    .where('id', '=', memoryId)
  const rows = await history
    .selectAll()
    .select(({ fn }) =>
      fn
        .coalesce('newContent', firstReplacedContent.orderBy('position').limit(1), currentContent)
        .as('content'),
    )
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(({ position, content, ...row }) => ({
    ...row,
    newContent: row.event === 'created' ? content : row.newContent,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  }))
}

/** Deletes up to `limit` events before a time, the oldest first. Returns their number. */
export async function deleteHistoryBefore(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('memoryHistory')
    .where('position', 'in', (eb) =>
      eb
        .selectFrom('memoryHistory')
        .select('position')
        .where('createdAt', '<', before)
        .orderBy('createdAt')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function countHistoryBefore(db: Db, before: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('memoryHistory')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('createdAt', '<', before)
    .executeTakeFirstOrThrow()
  return Number(count)
}
