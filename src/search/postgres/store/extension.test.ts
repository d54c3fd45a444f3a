import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openPlainPostgres, openTestPostgres } from '../../../kernel/testing/engines.ts'
import { testServer } from '../../../kernel/testing/test-server.ts'
import { openExtension } from './vector-index.ts'

/** Starts a PostgreSQL of its own. */
const slow = { timeout: 60_000 }

test('without pgvector the remedy names the package', slow, async () => {
  const { db } = await openPlainPostgres()

  expect(await openExtension(db)).toBe(
    'the server has no pgvector: install pgvector 0.8 or later on the server',
  )
})

test('an older pgvector in the database must be updated', async ({ skip }) => {
  const { db } = await openTestPostgres()
  const known = sql`select 1 from pg_available_extensions where name = 'vector'`
  skip((await known.execute(db)).rows.length === 0)
  expect(await openExtension(db)).toBeUndefined()
  await sql`update pg_extension set extversion = '0.7.4' where extname = 'vector'`.execute(db)

  expect(await openExtension(db)).toBe(
    'pgvector is 0.7.4: run "alter extension vector update" in the database',
  )
  await sql`drop extension vector`.execute(db)
})

test.skipIf(!testServer)('without the privilege the remedy names the statement', async () => {
  const { db } = await openTestPostgres()

  const problem = await db.transaction().execute(async (db) => {
    await sql`create role reverie_little`.execute(db)
    await sql`grant create, usage on schema public to reverie_little`.execute(db)
    await sql`set local role reverie_little`.execute(db)
    const problem = await openExtension(db)
    await sql`rollback`.execute(db)
    return problem
  })

  expect(problem).toMatch(
    /permission denied .*: a privileged user must run "create extension vector"/,
  )
})
