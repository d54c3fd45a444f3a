import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { testServer } from '../../testing/test-server.ts'
import { openPostgres } from './open-postgres.ts'
import { prepareStatement } from './prepared-statements.ts'

test.skipIf(!testServer)('frequent statements are prepared once for each connection', async () => {
  const { db, close } = openPostgres({ url: testServer ?? '', connections: 1 })
  onTestFinished(close)
  const ask = () => sql<{ answer: number }>`select ${41}::integer + 1 as answer`.execute(db)
  const listPrepared = async () => {
    const { rows } = await sql`select 1 from pg_prepared_statements`.execute(db)
    return rows.length
  }

  await ask()
  expect(await listPrepared()).toBe(0)
  prepareStatement('select $1::integer + 1 as answer')
  const answers = await Promise.all([ask(), ask(), ask()])

  expect(answers.map(({ rows }) => rows)).toEqual(Array(3).fill([{ answer: 42 }]))
  expect(await listPrepared()).toBe(1)
})
