import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { openPostgres } from '../db/postgres/open-postgres.ts'

/** URL of a real PostgreSQL server with a role that may create databases; absent by default. */
export const testServer = process.env['SVC_TEST_POSTGRES_URL']

/** Each test process has its own database, which the next run recreates. */
const name = `reverie_unit_${process.env['VITEST_POOL_ID'] ?? 0}`
const own: { made?: Promise<string> } = {}

/** Opens a database on the server. The caller closes it. */
export async function openOnServer(server: string): Promise<Database> {
  own.made ??= makeDatabase(server)
  const options = { url: await own.made, connections: 4 }
  return { ...openPostgres(options), server: options }
}

async function makeDatabase(server: string): Promise<string> {
  const { db, close } = openPostgres({ url: server, connections: 1 })
  await sql`drop database if exists ${sql.ref(name)} with (force)`.execute(db)
  await sql`create database ${sql.ref(name)}`.execute(db)
  await close()
  return Object.assign(new URL(server), { pathname: name }).href
}
