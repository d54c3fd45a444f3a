import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openPlainPostgres, openTestPostgres } from '../../../kernel/testing/engines.ts'
import { testServer } from '../../../kernel/testing/test-server.ts'
import { openExtension } from './extension.ts'

/** A PostgreSQL of one's own is started. */
const slow = { timeout: 60_000 }

test('a server without the extension is told what to install', slow, async () => {
  const { db } = await openPlainPostgres()

  expect(await openExtension(db)).toBe(
    'the server has no pgvector: install pgvector 0.8 or later on the server',
  )
})

test('one that a database still has in an older version is to be brought up to date', async ({
  skip,
}) => {
  const { db } = await openTestPostgres()
  const known = sql`select 1 from pg_available_extensions where name = 'vector'`
  skip((await known.execute(db)).rows.length === 0)
  expect(await openExtension(db)).toBeUndefined()
  await sql`update pg_extension set extversion = '0.7.4' where extname = 'vector'`.execute(db)

  expect(await openExtension(db)).toBe(
    'pgvector is 0.7.4: say "alter extension vector update" in the database',
  )
  await sql`drop extension vector`.execute(db)
})

test.skipIf(!testServer)('who may not make it is told what to have said', async () => {
  const { db } = await openTestPostgres()

  const problem = await db.transaction().execute(async (db) => {
    await sql`create role reverie_little`.execute(db)
    await sql`grant create, usage on schema public to reverie_little`.execute(db)
    await sql`set local role reverie_little`.execute(db)
    const problem = await openExtension(db)
    await sql`rollback`.execute(db)
    return problem
  })

  expect(problem).toMatch(/permission denied .*: let who may say "create extension vector"/)
})
