import type { CompiledQuery, DialectAdapter, InsertQueryBuilder, OnConflictBuilder } from 'kysely'
import { type Db, engineOf } from './database.ts'
import { executeBatch, type Write } from './execute-batch.ts'

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
  if (engineOf(db) === 'sqlite') {
    const columns = Object.keys(first)
    const lists = rows.map((row) => columns.map((name) => toCell(row, name)))
    const compile = () =>
      insert(Object.fromEntries(columns.map((name) => [name, toCell(first, name)]))).compile()
    const query = conflict ? compile() : compileInsert(db, [table, ...columns].join(' '), compile)
    await executeBatch(db, [toRepeated(query, lists)])
    return
  }
  for (let at = 0; at < rows.length; at += maxRows)
    await insert(rows.slice(at, at + maxRows) as Row[]).execute()
}

/** Plain inserts of each database, by table and columns. */
const compiledInserts = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>()

/** Compiles a plain insert once for each table and its columns. */
function compileInsert(db: Db, key: string, compile: () => CompiledQuery): CompiledQuery {
  const { adapter } = db.getExecutor()
  const inserts = compiledInserts.get(adapter) ?? new Map<string, CompiledQuery>()
  compiledInserts.set(adapter, inserts)
  const query = inserts.get(key) ?? compile()
  inserts.set(key, query)
  return query
}

/** Repeats an insert of one row for each list; parameters after those of the row stay the same. */
function toRepeated(query: CompiledQuery, lists: readonly (readonly unknown[])[]): Write {
  const [first = []] = lists
  const shared = [...first, ...query.parameters.slice(first.length)]
  const positions = [...first.keys()].filter((at) => lists.some((list) => list[at] !== first[at]))
  const rows = lists.map((list) => positions.map((at) => list[at]))
  return { compile: () => ({ ...query, repeated: { shared, positions, rows } }) as CompiledQuery }
}

/** SQLite has no booleans, and would store a lone surrogate as it is. */
function toCell(row: object, name: string): unknown {
  const value: unknown = Reflect.get(row, name) ?? null
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' ? value.toWellFormed() : value
}
