import type { InsertQueryBuilder, OnConflictBuilder } from 'kysely'
import { type Db, engineOf } from './database.ts'
import { executeBatch, type Write } from './execute-batch.ts'
import { insertRowsQuery, type RowFormat, toCell, toRepeated } from './row-writes.ts'
import { findDeferred, settleAll } from './transaction.ts'

type AnyTables = Record<string, Record<string, unknown>>
type AnyInsert = InsertQueryBuilder<AnyTables, string, unknown>
type Conflict = Parameters<AnyInsert['onConflict']>[0]
type Row = Record<string, unknown>

/** Rows in one statement of PostgreSQL. */
const maxRows = 200

/**
 * Inserts rows with the columns of the first. A file takes all rows in one message, and one prepared
 * statement in one transaction. Values that all rows share are sent once.
 */
export async function insertRows(
  db: Db,
  table: string,
  rows: readonly object[],
  conflict?: (builder: OnConflictBuilder<AnyTables, string>) => ReturnType<Conflict>,
): Promise<void> {
  const [first] = rows
  if (!first) return
  const insert = (values: Row | readonly Row[]) => {
    const query = db.withTables<AnyTables>().insertInto(table).values(values)
    return conflict ? query.onConflict(conflict) : query
  }
  const isFile = engineOf(db) === 'sqlite'
  if (!conflict && (isFile || !Object.values(first).some(isBinary))) {
    await executeBatch(db, listInserts(db, table, rows))
    return
  }
  if (isFile) {
    const columns = Object.keys(first)
    const lists = rows.map((row) => columns.map((name) => toCell(row, name)))
    const cells = Object.fromEntries(columns.map((name) => [name, toCell(first, name)]))
    const query = insert(cells).compile()
    const rest = query.parameters.slice(columns.length)
    await executeBatch(db, [
      toRepeated(
        query,
        lists.map((list) => [...list, ...rest]),
      ),
    ])
    return
  }
  for (const part of listParts(rows)) await insert(part as Row[]).execute()
}

/** Rows that the next statement of a transaction sends, by table and columns. */
interface DeferredRows {
  readonly rows: Map<string, { readonly table: string; readonly rows: object[] }>
  readonly sent: Promise<void>
}

const deferredRows = new WeakMap<object, DeferredRows>()

/**
 * Inserts rows without binary values before the next statement of the transaction, so that many inserts
 * of one table become one statement. Await the result after another statement or `settleDeferred` only.
 */
export function insertRowsDeferred(db: Db, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows
  const deferred = findDeferred(db)
  if (!first || !deferred) return insertRows(db, table, rows)
  let pending = deferredRows.get(deferred)
  if (!pending) {
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    const own: DeferredRows = { rows: new Map(), sent }
    pending = own
    deferredRows.set(deferred, own)
    deferred.send = () => {
      deferredRows.delete(deferred)
      const inserts = [...own.rows.values()].flatMap((one) => listInserts(db, one.table, one.rows))
      resolve(sendNow(db, inserts))
    }
  }
  const key = [table, ...Object.keys(first)].join(' ')
  const group = pending.rows.get(key) ?? { table, rows: [] }
  pending.rows.set(key, group)
  group.rows.push(...rows)
  return pending.sent
}

/** Sends the statements in this turn of the event loop, before those that follow. */
async function sendNow(db: Db, writes: readonly Write[]): Promise<void> {
  if (engineOf(db) === 'sqlite') await executeBatch(db, writes)
  else await settleAll(writes.map((write) => db.executeQuery(write.compile())))
}

function listInserts(db: Db, table: string, rows: readonly object[]): Write[] {
  const parts = engineOf(db) === 'sqlite' ? [rows] : listParts(rows)
  return parts.map((part) => insertRowsQuery(db, formatOf(table), part))
}

/** Splits a list into parts for one statement each. */
export function listParts<Item>(rows: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, at) =>
    rows.slice(at * maxRows, (at + 1) * maxRows),
  )
}

function isBinary(value: unknown): boolean {
  return value instanceof Uint8Array
}

const formats = new Map<string, RowFormat>()

function formatOf(table: string): RowFormat {
  const format = formats.get(table) ?? { table }
  formats.set(table, format)
  return format
}
