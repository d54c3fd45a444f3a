import type { CompiledQuery } from 'kysely'
import type { Database, Engine } from '../db/database.ts'
import { type Migration, migrate } from '../db/migrations.ts'
import { fixedHost } from './fixed-host.ts'
import { recordQueries } from './record-queries.ts'

interface Recording {
  readonly engine: Engine
  readonly migrations: readonly Migration[]
  readonly writes: readonly CompiledQuery[]
}

const recordings: Recording[] = []

/**
 * Creates the tables of the migrations in an empty database. The first call runs the migrations and
 * records their writes; later calls replay the writes without the queries in between.
 */
export async function createTables(
  database: Database,
  migrations: readonly Migration[],
): Promise<void> {
  const { engine, db } = database
  const known = recordings.find(
    (made) => made.engine === engine && isSame(made.migrations, migrations),
  )
  if (!known) {
    const steps = (db: Database['db']) =>
      migrate({ ...database, db }, migrations, fixedHost().now())
    const queries = await recordQueries(db, steps)
    const writes = queries.filter(({ sql }) => !/^\s*select\b/i.test(sql))
    recordings.push({ engine, migrations, writes })
    return
  }
  await db.transaction().execute(async (db) => {
    for (const write of known.writes) await db.withoutPlugins().executeQuery(write)
  })
}

export function isSame(some: readonly Migration[], others: readonly Migration[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index])
}
