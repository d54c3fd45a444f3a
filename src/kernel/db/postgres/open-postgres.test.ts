import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestPostgres } from '../../testing/engines.ts'
import { testServer } from '../../testing/test-server.ts'
import type { Db } from '../database.ts'
import { DatabaseBusy, DatabaseError, DatabaseLost } from '../database-error.ts'
import { executeBatch } from '../execute-batch.ts'
import { migrate } from '../migrations.ts'
import { transaction } from '../transaction.ts'
import { assertServerSupported, openPostgres } from './open-postgres.ts'

/** Creating a database copies the template, which takes seconds. */
const slow = { timeout: 60_000 }
const onServer = test.skipIf(!testServer)
const end = sql`select pg_terminate_backend(pg_backend_pid())`

onServer(
  'reports a connection that the server ends, and uses a new one for the next call',
  async () => {
    const { db } = await openTestPostgres()

    const lost = transaction(db, async (db) => end.execute(db))

    await expect(lost).rejects.toBeInstanceOf(DatabaseLost)
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  },
)

test('an unreachable server is named in the error, and nothing was done', async () => {
  const database = openPostgres({ url: 'postgres://127.0.0.1:1/nowhere', connections: 1 })
  onTestFinished(() => database.close())

  const error = await sql`select 1`.execute(database.db).catch((error) => error)

  expect(error).toBeInstanceOf(DatabaseBusy)
  expect(error.message).toBe('The database server cannot be reached: ECONNREFUSED.')
})

onServer('writers that begin alike share a commit, and their rows appear together', async () => {
  const { db } = await openWithNotes()
  const written = Array.from({ length: 20 }, (_, at) => executeBatch(db, [adding(db, `${at}`)]))

  expect(await Promise.all(written)).toEqual(Array.from(written, () => [1]))

  const { rows } = await sql`select distinct xmin::text as transaction from notes`.execute(db)
  expect(rows.length).toBeLessThan(5)
})

onServer('reports ended connections to their writers, and repeats nothing', async () => {
  const { db } = await openWithNotes()
  const ending = { compile: () => end.compile(db) }
  const written = ['a', 'b', 'c'].map((id) =>
    executeBatch(db, [adding(db, id), ...(id === 'b' ? [ending] : [])]),
  )

  const outcomes = await Promise.all(written.map((one) => one.catch((error: unknown) => error)))

  expect(outcomes[1]).toBeInstanceOf(DatabaseLost)
  const rows = (await sql<{ id: string }>`select id from notes`.execute(db)).rows
  expect(rows).toHaveLength(outcomes.filter(Array.isArray).length)
  expect(await executeBatch(db, [adding(db, 'd')])).toEqual([1])
})

onServer('daemons that start together take each step once', async () => {
  const database = await openTestPostgres()
  const step = { id: '1-notes', sqlite: [], postgres: ['create table notes (id text)'] }
  const start = () => migrate(database, [step], new Date(0))

  await Promise.all([start(), start(), start()])

  const { rows } = await sql`select id from migrations`.execute(database.db)
  expect(rows).toEqual([{ id: '1-notes' }])
})

onServer('names the privilege that a role without tables lacks', async () => {
  const database = await openTestPostgres()
  const { db } = database

  const message = await transaction(db, async (own) => {
    await sql`create role reverie_little`.execute(own)
    await sql`set local role reverie_little`.execute(own)
    await assertServerSupported(own)
  }).catch((error) => error.message)

  expect(message).toBe(
    'The role reverie_little may make no tables: let it own the database, or grant usage, create on schema public to it.',
  )
})

onServer('a database that cannot hold every script is refused', slow, async () => {
  const { db } = await openTestPostgres()
  await sql`drop database if exists reverie_latin with (force)`.execute(db)
  await sql`create database reverie_latin encoding 'LATIN1' locale 'C' template template0`.execute(
    db,
  )
  const url = Object.assign(new URL(testServer ?? ''), { pathname: 'reverie_latin' }).href
  const latin = openPostgres({ url, connections: 1 })

  const migrating = migrate(latin, [], new Date(0))

  await expect(migrating).rejects.toThrow('The database is in LATIN1')
  await latin.close()
  await sql`drop database reverie_latin with (force)`.execute(db)
})

onServer('a statement past its time is ended by the server', async () => {
  const { db } = await openTestPostgres()

  const ended = await transaction(db, async (db) => {
    await sql`set local statement_timeout = 50`.execute(db)
    await sql`select pg_sleep(10)`.execute(db)
  }).catch((error) => error)

  expect(ended).toBeInstanceOf(DatabaseError)
  expect(ended.code).toBe('57014')
})

async function openWithNotes() {
  const database = await openTestPostgres()
  await sql`create table notes (id text primary key)`.execute(database.db)
  return database
}

function adding(db: Db, id: string) {
  return { compile: () => sql`insert into notes values (${id})`.compile(db) }
}
