import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGliteDialect, sql } from 'kysely'
import { onTestFinished, test } from 'vitest'
import { createDb, type Database, type Db } from '../db/database.ts'
import { type Migration, migrate } from '../db/migrations.ts'
import { numberTypes, onServer, openPostgres, tellErrorsAlike } from '../db/postgres.ts'
import { openSqlite, type SqliteOptions } from '../db/sqlite/open-sqlite.ts'
import { fixedHost } from './fixed-host.ts'

const parsers = Object.fromEntries(numberTypes.map((type) => [type, Number]))

/** PostgreSQL takes seconds to start, so the tests of one process share it, each with a new schema. */
const pglite = new PGlite({ extensions: { vector }, parsers })

export const engines = [
  { engine: 'sqlite', open: openTestSqlite },
  { engine: 'postgres', open: openTestPostgres },
] as const

/** A test that must hold on every engine, each time on a new database with these tables. */
export function testOnEachEngine(migrations: readonly Migration[]) {
  return (name: string, body: (db: Db) => Promise<void>) =>
    test.for(engines)(`${name} ($engine)`, async ({ open }) => {
      const database = await open()
      await migrate(database, migrations, fixedHost().now())
      await body(database.db)
    })
}

/** For what only the file can do; the folder goes with the test. */
export async function openTestSqlite(options: Partial<SqliteOptions> = {}): Promise<Database> {
  const file = options.file ?? join(await temporaryFolder(), 'test.db')
  const database = await openSqlite({ synchronous: 'normal', ...options, file })
  onTestFinished(() => database.close())
  return database
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A real server, where one is at hand; its schema `public` is emptied. */
export const testServer = process.env['SVC_TEST_POSTGRES_URL']

export async function openTestServer(url: string): Promise<Database> {
  const database = openPostgres({ url, connections: 4 })
  await emptySchema(database.db)
  onTestFinished(() => database.close())
  return database
}

async function openTestPostgres(): Promise<Database> {
  const db = dbOn(pglite)
  await emptySchema(db)
  return { ...onServer(db), close: () => Promise.resolve() }
}

/** A server that has no extensions. */
export async function openPlainPostgres(): Promise<Database> {
  const plain = new PGlite({ parsers })
  onTestFinished(() => plain.close())
  return onServer(dbOn(plain))
}

function dbOn(pglite: PGlite): Db {
  return createDb(new PGliteDialect({ pglite, onCreateConnection: tellErrorsAlike }))
}

async function emptySchema(db: Db): Promise<void> {
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
}
