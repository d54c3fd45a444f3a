import { type CompiledQuery, type DialectAdapter, type Expression, sql } from 'kysely'
import { type Db, engineOf } from './database.ts'
import type { Write } from './execute-batch.ts'
import { prepareStatement } from './postgres/prepared-statements.ts'
import { toColumn } from './row-names.ts'

type Row = Readonly<Record<string, unknown>>
type AnyTables = Record<string, Record<string, unknown>>
type Value = Expression<unknown>

/** How a table takes rows. A constant of its module: its statements are compiled once for each list of columns. */
export interface RowFormat {
  readonly table: string
  /** Columns that are computed from the value of the row. */
  readonly expressions?: Readonly<Record<string, (value: Value) => Value>>
}

interface InsertFormat extends RowFormat {
  /** Leaves rows out that a unique constraint refuses. */
  readonly skipsConflicts?: boolean
  /** Leaves rows out that do not fulfil this. */
  readonly condition?: (readValue: (column: string) => Value) => Value
}

interface UpdateFormat extends RowFormat {
  /** The columns that find the row, by their values before `expressions`. */
  readonly keys: readonly string[]
}

/** Inserts rows with the columns of the first in one statement. Their values are not binary. */
export function insertRowsQuery(db: Db, format: InsertFormat, rows: readonly object[]): Write {
  return toWrite(db, format, rows, (columns, readValue, source) => {
    const { condition, skipsConflicts, table } = format
    const values = sql.join(columns.map((column) => compute(format, column, readValue(column))))
    const where = condition ? sql` where ${condition(readValue)}` : sql``
    const selection = source ? sql`${values} from ${source} as r` : values
    const insert = db
      .withTables<AnyTables>()
      .insertInto(table)
      .columns([...columns])
      .expression(source || condition ? sql`select ${selection}${where}` : sql`values (${values})`)
    return skipsConflicts ? insert.onConflict((conflict) => conflict.doNothing()) : insert
  })
}

/** Sets the columns of rows, those of the first, in one statement. */
export function updateRowsQuery(db: Db, format: UpdateFormat, rows: readonly object[]): Write {
  return toWrite(db, format, rows, (columns, readValue, source) => {
    const { keys, table } = format
    const isSet = (column: string) => !keys.includes(column) || format.expressions?.[column]
    const set = columns
      .filter(isSet)
      .map((column) => [column, compute(format, column, readValue(column))] as const)
    const update = db.withTables<AnyTables>().updateTable(table).set(Object.fromEntries(set))
    const from = source ? update.from(sql<Row>`${source}`.as('r')) : update
    const matches = keys.map(
      (key) => sql<boolean>`${sql.ref(`${table}.${key}`)} = ${readValue(key)}`,
    )
    return from.where(sql<boolean>`${sql.join(matches, sql` and `)}`)
  })
}

function compute({ expressions = {} }: RowFormat, column: string, value: Value): Value {
  return expressions[column]?.(value) ?? value
}

type Build = (
  columns: readonly string[],
  readValue: (column: string) => Value,
  source?: Value,
) => { compile(): CompiledQuery }

/**
 * PostgreSQL takes the rows as one parameter, so that its statement has the same text for any number of
 * rows. SQLite runs the statement of one row for each.
 */
function toWrite(db: Db, format: RowFormat, rows: readonly object[], build: Build): Write {
  const [first = {}] = rows
  const columns = Object.keys(first)
  const compiled = compileCached(db, format, columns, () =>
    engineOf(db) === 'postgres'
      ? build(
          columns,
          (column) => sql.ref(`r.${column}`),
          sql`json_populate_recordset(null::${sql.table(format.table)}, ${new Parameter('rows')}::json)`,
        )
      : build(columns, (column) => sql`${new Parameter(column)}`),
  )
  if (engineOf(db) === 'postgres') {
    prepareStatement(compiled.sql)
    return { compile: () => ({ ...compiled, parameters: [toJson(columns, rows)] }) }
  }
  const names = compiled.parameters.map((parameter) => (parameter as Parameter).name)
  const lists = rows.map((row) => names.map((name) => toCell(row, name)))
  return toRepeated(compiled, lists)
}

/** Stands for a value during compilation. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const compiledQueries = new WeakMap<
  RowFormat,
  WeakMap<DialectAdapter, Map<string, CompiledQuery>>
>()

function compileCached(
  db: Db,
  format: RowFormat,
  columns: readonly string[],
  build: () => { compile(): CompiledQuery },
): CompiledQuery {
  const { adapter } = db.getExecutor()
  const ofFormat = compiledQueries.get(format) ?? new WeakMap()
  compiledQueries.set(format, ofFormat)
  const queries = ofFormat.get(adapter) ?? new Map<string, CompiledQuery>()
  ofFormat.set(adapter, queries)
  const key = columns.join(' ')
  const query = queries.get(key) ?? build().compile()
  queries.set(key, query)
  return query
}

/** PostgreSQL refuses lone surrogates in JSON. */
function toJson(columns: readonly string[], rows: readonly object[]): string {
  const names = columns.map((column) => [column, toColumn(column)] as const)
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        names.map(([column, name]) => {
          const value: unknown = Reflect.get(row, column)
          return [name, typeof value === 'string' ? value.toWellFormed() : value]
        }),
      ),
    ),
  )
}

/** Repeats a statement for each list of parameters. Values that all lists share are sent once. */
export function toRepeated(query: CompiledQuery, lists: readonly (readonly unknown[])[]): Write {
  const [shared = []] = lists
  const positions = [...shared.keys()].filter((at) => lists.some((list) => list[at] !== shared[at]))
  const rows = lists.map((list) => positions.map((at) => list[at]))
  return { compile: () => ({ ...query, repeated: { shared, positions, rows } }) as CompiledQuery }
}

/** SQLite has no booleans, and would store a lone surrogate as it is. */
export function toCell(row: object, name: string): unknown {
  const value: unknown = Reflect.get(row, name) ?? null
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' ? value.toWellFormed() : value
}
