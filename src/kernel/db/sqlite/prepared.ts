import type Sqlite from 'better-sqlite3'

/** A prepared statement that returns rows as lists of values. */
export interface Prepared {
  readonly statement: Sqlite.Statement<unknown[]>
  /** Column names of the last result; absent if the statement returns no rows. */
  readonly columns?: () => readonly string[]
}

/**
 * Caches the column names, because reading them is slow. A change of the schema changes those of
 * `select *`, unless the caller drops its statements then.
 */
export function prepareRaw(
  statement: Sqlite.Statement<unknown[]>,
  { dropsAtSchemaChange = false } = {},
): Prepared {
  if (!statement.reader) return { statement }
  const read = () => statement.columns().map(({ name }) => name)
  const mayChange = !dropsAtSchemaChange && /(?<!\()\*/.test(statement.source)
  const cached = mayChange ? undefined : read()
  return { statement: statement.raw(), columns: () => cached ?? read() }
}
