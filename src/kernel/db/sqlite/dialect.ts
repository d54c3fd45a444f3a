import { type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { createDb, type Db } from '../database.ts'
import { RowNames } from '../row-names.ts'

/** Kysely serializes queries for SQLite because it assumes a single connection. */
class ThreadedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

export function createSqliteDb(createDriver: (names: RowNames) => Driver): Db {
  const names = new RowNames()
  return createDb(
    {
      createAdapter: () => new ThreadedAdapter(),
      createDriver: () => createDriver(names),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    names,
  )
}
