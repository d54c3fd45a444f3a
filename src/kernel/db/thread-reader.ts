import Sqlite from 'better-sqlite3'
import { bindList, type DeferredRows, type DeferredSelect } from './deferred-select.ts'
import { type Prepared, prepareRaw } from './sqlite/prepared.ts'

/**
 * Reads a SQLite file synchronously. For worker threads only, because it blocks its thread.
 */
export interface ThreadReader {
  all(sql: string, parameters?: readonly unknown[]): Record<string, unknown>[]
  /** The list is not empty. */
  readDeferred(select: DeferredSelect, list: readonly unknown[]): DeferredRows
  /** Changes whenever another connection has committed. */
  version(): number
  /** Starts a snapshot that lasts until `end`. */
  begin(): void
  end(): void
  close(): void
}

/** The file must exist. */
export function openThreadReader(file: string): ThreadReader {
  const sqlite = new Sqlite(file, { readonly: true })
  for (const pragma of ['busy_timeout = 5000', 'cache_size = -8000']) sqlite.pragma(pragma)
  const version = sqlite.prepare<[], number>('pragma data_version').pluck()
  const statements = new Map<string, Sqlite.Statement<unknown[], Record<string, unknown>>>()
  const late = new Map<string, Prepared>()
  return {
    all: (sql, parameters = []) => {
      const statement = statements.get(sql) ?? sqlite.prepare(sql)
      statements.set(sql, statement)
      return statement.all(...parameters)
    },
    readDeferred: (select, list) => {
      const known = late.get(select.sql) ?? prepareRaw(sqlite.prepare(select.sql))
      late.set(select.sql, known)
      const rows = known.statement.all(...bindList(select, list))
      return { rows, columns: known.columns?.() ?? [] }
    },
    version: () => Number(version.get()),
    begin: () => {
      sqlite.exec('begin')
    },
    end: () => {
      if (sqlite.inTransaction) sqlite.exec('commit')
    },
    close: () => sqlite.close(),
  }
}
