import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Db } from '../database.ts'
import type { DeferredRows } from '../deferred-select.ts'
import type { RowNames } from '../row-names.ts'
import { createSqliteDb } from './dialect.ts'

/** Runs a select at once, in the thread that has the file open. */
export type Select = (sql: string, parameters: readonly unknown[]) => DeferredRows

/** Serves a read task in the thread of a file: its statements are answered at once. */
export function serveReadTask<Input, Output>(read: (db: Db, input: Input) => Promise<Output>) {
  return (select: Select) => {
    const db = createSqliteDb((names) => new LocalDriver(select, names))
    return (input: Input) => read(db, input)
  }
}

class LocalDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(select: Select, names: RowNames) {
    this.#connection = {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const { columns, rows } = select(sql, parameters)
        return { rows: names.toRows<Row>(columns, rows) }
      },
      streamQuery: refuse,
    }
  }

  async init(): Promise<void> {}
  async acquireConnection() {
    return this.#connection
  }
  async releaseConnection(): Promise<void> {}
  beginTransaction = refuse
  commitTransaction = refuse
  rollbackTransaction = refuse
  async destroy(): Promise<void> {}
}

function refuse(): never {
  throw new Error('A read task only selects rows.')
}
