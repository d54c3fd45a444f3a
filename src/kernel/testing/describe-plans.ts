import { beforeAll, describe } from 'vitest'
import type { Db, Engine } from '../db/database.ts'
import type { Migration } from '../db/migrations.ts'
import { createTables } from './create-tables.ts'
import { openPostgresForTests, openSqliteForTests } from './engines.ts'
import { plansOf, runStatement, tidyServer } from './plan-of.ts'

interface LargeTables {
  readonly migrations: readonly Migration[]
  /** Statements that generate the rows. */
  readonly generated: readonly string[]
}

/** The query plans of all queries that a read executes. */
type ReadPlans = (read: (db: Db) => Promise<unknown>) => Promise<string[]>

/** Defines tests of query plans on large tables of each engine. */
export function describePlans(
  { migrations, generated }: LargeTables,
  defineTests: (readPlans: ReadPlans, engine: Engine) => void,
): void {
  describe.each([
    { engine: 'sqlite', open: openSqliteForTests },
    { engine: 'postgres', open: openPostgresForTests },
  ] as const)('$engine', ({ engine, open }) => {
    let db!: Db
    beforeAll(async () => {
      const database = await open()
      db = database.db
      await createTables(database, migrations)
      for (const statement of generated) await runStatement(db, statement)
      if (engine === 'postgres') await tidyServer(db)
      return () => database.close()
    }, 120_000)

    defineTests((read) => plansOf(db, read), engine)
  })
}
