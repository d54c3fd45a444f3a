import type Sqlite from 'better-sqlite3'

/** A statement whose rows are lists of values. */
export interface Prepared {
  readonly statement: Sqlite.Statement<unknown[]>
  /** Those of the rows that were returned last; absent when it returns none. */
  readonly columns?: () => readonly string[]
}

/** To ask for the names is dear; only those that a star stands for can change, which in `count(*)` is none. */
export function withColumns(statement: Sqlite.Statement<unknown[]>): Prepared {
  if (!statement.reader) return { statement }
  const read = () => statement.columns().map(({ name }) => name)
  const cached = /(?<!\()\*/.test(statement.source) ? undefined : read()
  return { statement: statement.raw(), columns: () => cached ?? read() }
}
