import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestPostgres } from '../testing/engines.ts'
import { testServer } from '../testing/test-server.ts'
import { DatabaseBusy, DatabaseError, DatabaseLost } from './database-error.ts'
import { migrate } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import { transaction } from './transaction.ts'

const onServer = test.skipIf(!testServer)
const end = sql`select pg_terminate_backend(pg_backend_pid())`

onServer(
  'a connection that the server ends is told as lost, and the next call has another',
  async () => {
    const { db } = await openTestPostgres()

    const lost = transaction(db, async (db) => end.execute(db))

    await expect(lost).rejects.toBeInstanceOf(DatabaseLost)
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  },
)

test('a server that is not there has done nothing, and is named as the reason', async () => {
  const database = openPostgres({ url: 'postgres://127.0.0.1:1/nowhere', connections: 1 })
  onTestFinished(() => database.close())

  const error = await sql`select 1`.execute(database.db).catch((error) => error)

  expect(error).toBeInstanceOf(DatabaseBusy)
  expect(error.message).toBe('The database server cannot be reached: ECONNREFUSED.')
})

onServer('daemons that start together take each step once', async () => {
  const database = await openTestPostgres()
  const step = { id: '1-notes', sqlite: [], postgres: ['create table notes (id text)'] }
  const start = () => migrate(database, [step], new Date(0))

  await Promise.all([start(), start(), start()])

  const { rows } = await sql`select id from migrations`.execute(database.db)
  expect(rows).toEqual([{ id: '1-notes' }])
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
