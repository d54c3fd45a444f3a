import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGliteDialect } from 'kysely'
import { beforeAll, onTestFinished, test } from 'vitest'
import { createDb, type Database, type Db } from '../db/database.ts'
import type { Migration } from '../db/migrations.ts'
import { normalizeErrors } from '../db/postgres/errors.ts'
import { numberTypes, onServer } from '../db/postgres/open-postgres.ts'
import { openSqlite, type SqliteOptions } from '../db/sqlite/open-sqlite.ts'
import { createPglite } from './pglite.ts'
import { emptySchema, takeSharedSchema } from './shared-postgres.ts'
import { takeSharedSqlite } from './shared-sqlite.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { openOnServer, testServer } from './test-server.ts'

const parsers = Object.fromEntries(numberTypes.map((type) => [type, Number]))

/**
 * PostgreSQL takes seconds to start, so the tests of a process share one instance. Tests without
 * PostgreSQL do not wait for it.
 */
const shared: { pglite?: Promise<PGlite> } = {}
const startsWithinMs = 60_000

function startPglite(): Promise<PGlite> {
  shared.pglite ??= createPglite({ extensions: { vector }, parsers })
  return shared.pglite
}

export const engines = [
  { engine: 'sqlite', open: openTestSqlite },
  { engine: 'postgres', open: openTestPostgres },
] as const

/** Starts PostgreSQL in a hook, so that the timeout of the first test does not include it. */
export function startPostgresAhead(): void {
  if (!testServer) beforeAll(() => startPglite(), startsWithinMs)
}

/**
 * Runs a test on every engine, on a shared database with these tables and without rows of other
 * tests. A test takes the database of its process once.
 */
export function testOnEachEngine(migrations: readonly Migration[]) {
  startPostgresAhead()
  return (name: string, body: (db: Db) => Promise<void>) =>
    test.for(sharedDatabases)(`${name} ($engine)`, async ({ take }) =>
      body((await take(migrations)).db),
    )
}

const sharedDatabases = [
  { engine: 'sqlite', take: takeSharedSqlite },
  { engine: 'postgres', take: takeSharedPostgres },
] as const

async function takeSharedPostgres(migrations: readonly Migration[]): Promise<Database> {
  const database = await connectPostgres()
  onTestFinished(() => database.close())
  await takeSharedSchema(database, migrations)
  return database
}

/** For tests of SQLite only. The folder is removed after the test. */
export async function openTestSqlite(options: Partial<SqliteOptions> = {}): Promise<Database> {
  const file = options.file ?? join(await temporaryFolder(), 'test.db')
  const database = await openSqlite({ synchronous: 'normal', ...options, file })
  onTestFinished(() => database.close())
  return database
}

/** For all tests of one file. The caller closes it, which removes its folder. */
export async function openSqliteForTests(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-'))
  const database = await openSqlite({ file: join(folder, 'test.db'), synchronous: 'normal' })
  const close = async () => {
    await database.close()
    await rm(folder, { recursive: true })
  }
  return { ...database, close }
}

export async function openTestPostgres(): Promise<Database> {
  const database = await openPostgresForTests()
  onTestFinished(() => database.close())
  return database
}

/** Opens an empty database. The caller closes it. */
export async function openPostgresForTests(): Promise<Database> {
  const database = await connectPostgres()
  await emptySchema(database.db)
  return database
}

/** Connects to the test server, or to an instance in this process with a single connection. */
async function connectPostgres(): Promise<Database> {
  if (testServer) return openOnServer(testServer)
  return { ...onServer(dbOn(await startPglite())), close: () => Promise.resolve() }
}

/** PostgreSQL without extensions. */
export async function openPlainPostgres(): Promise<Database> {
  const plain = await createPglite({ parsers })
  onTestFinished(() => plain.close())
  return onServer(dbOn(plain))
}

function dbOn(pglite: PGlite): Db {
  return createDb(new PGliteDialect({ pglite, onCreateConnection: normalizeErrors }))
}
