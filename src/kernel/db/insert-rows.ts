import { type InsertQueryBuilder, type OnConflictBuilder, type RawBuilder, sql } from 'kysely'
import { type Db, engineOf } from './database.ts'

type AnyTables = Record<string, Record<string, unknown>>
type AnyInsert = InsertQueryBuilder<AnyTables, string, unknown>
type Conflict = Parameters<AnyInsert['onConflict']>[0]

/** Rows in one statement of PostgreSQL. */
const maxRows = 200

/**
 * Inserts rows with the columns of the first. A file takes all rows as one parameter, so that the
 * event loop neither builds a long statement nor waits for several.
 */
export async function insertRows(
  db: Db,
  table: string,
  rows: readonly object[],
  conflict?: (builder: OnConflictBuilder<AnyTables, string>) => ReturnType<Conflict>,
): Promise<void> {
  const into = db.withTables<AnyTables>().insertInto(table)
  const [first] = rows
  if (!first) return
  const run = async (query: AnyInsert) => {
    await (conflict ? query.onConflict(conflict) : query).execute()
  }
  if (engineOf(db) === 'sqlite') {
    const columns = Object.keys(first)
    return run(into.columns(columns).expression(selectRows(columns, rows)))
  }
  for (let at = 0; at < rows.length; at += maxRows)
    await run(into.values(rows.slice(at, at + maxRows) as Record<string, unknown>[]))
}

/** Without the condition, SQLite reads the conflict clause as a join. */
function selectRows(columns: readonly string[], rows: readonly object[]): RawBuilder<object> {
  const json = JSON.stringify(rows.map((row) => columns.map((name) => toCell(row, name))))
  const cells = sql.join(columns.map((_, at) => sql`value ->> ${sql.lit(at)}`))
  return sql`select ${cells} from json_each(${json}) where true`
}

/** SQLite would store a lone surrogate as it is. */
function toCell(row: object, name: string): unknown {
  const value: unknown = Reflect.get(row, name)
  return typeof value === 'string' ? value.toWellFormed() : value
}
