import { expect, test } from 'vitest'
import { engines, startPostgresAhead } from '../testing/engines.ts'
import { contractTables } from './database.contract.ts'
import type { Db } from './database.ts'
import { migrate } from './migrations.ts'
import { readNotes } from './read-task.fixture.ts'
import { runReadTask } from './read-task.ts'
import { transaction } from './transaction.ts'

startPostgresAhead()

type Notes = { notes: { id: string; bodyText: string | null } }

const task = { module: new URL('./read-task.fixture.ts', import.meta.url), read: readNotes }
const read = (db: Db, fails = false) => runReadTask(db, task, { fails })
const insert = (db: Db, id: string, bodyText: string | null) =>
  db.withTables<Notes>().insertInto('notes').values({ id, bodyText }).execute()

test.for(engines)(
  'a read task answers from rows that it read before ($engine)',
  async ({ open }) => {
    const database = await open()
    await migrate(database, [contractTables], new Date(0))
    const { db, background } = database
    await insert(db, 'a', 'Zoë')
    await insert(db, 'b', null)
    const rows = [
      { id: 'a', bodyText: 'Zoë' },
      { id: 'b', bodyText: null },
    ]

    const answers = await Promise.all([read(db), read(db), read(background)])

    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ count: 2, rows })))
  },
)

test.for(engines)('a transaction sees its own rows in a read task ($engine)', async ({ open }) => {
  const database = await open()
  await migrate(database, [contractTables], new Date(0))

  const inside = await transaction(database.db, async (inner) => {
    await insert(inner, 'a', null)
    return read(inner)
  })

  expect([inside.count, (await read(database.db)).count]).toEqual([1, 1])
})

test.for(engines)(
  'a read task that fails rejects, and the next one runs ($engine)',
  async ({ open }) => {
    const database = await open()
    await migrate(database, [contractTables], new Date(0))

    await expect(read(database.db, true)).rejects.toThrow('nothing')
    expect((await read(database.db)).count).toBe(0)
  },
)

test('a read task whose module is missing rejects', async () => {
  const { db } = await engines[0].open()
  const missing = { ...task, module: new URL('./absent.ts', import.meta.url) }

  await expect(runReadTask(db, missing, { fails: false })).rejects.toThrow('absent.ts')
})
