import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestSqlite, testOnEachEngine } from '../testing/engines.ts'
import { contractTables } from './database.contract.ts'
import type { Db } from './database.ts'
import { DatabaseConflict } from './database-error.ts'
import { insertRowsDeferred } from './insert-rows.ts'
import { settleDeferred, transaction } from './transaction.ts'

const onEachEngine = testOnEachEngine([contractTables])
const add = (db: Db, id: string) => sql`insert into notes (id) values (${id})`.execute(db)
const all = async (db: Db) => (await sql`select * from notes order by id`.execute(db)).rows
const ids = async (db: Db) => (await all(db)).map((row) => Object(row).id)

onEachEngine('a statement that follows the end of a transaction is refused', async (db) => {
  let late: Promise<unknown> | undefined
  const failing = transaction(db, async (own) => {
    const conflict = Promise.all([add(own, 'a'), add(own, 'a')])
    late = conflict.catch(async () => {
      // The rollback is sent meanwhile, but not answered.
      for (let tick = 0; tick < 20; tick++) await undefined
      return add(own, 'b').catch(String)
    })
    await conflict
  })

  await expect(failing).rejects.toThrow(DatabaseConflict)
  expect(await late).toContain('The transaction has ended.')
  expect(await ids(db)).toEqual([])
})

onEachEngine('a statement that follows the end of a savepoint is refused', async (db) => {
  let late: Promise<unknown> | undefined
  await transaction(db, async (own) => {
    const failing = transaction(own, async (inner) => {
      const conflict = Promise.all([add(inner, 'a'), add(inner, 'a')])
      late = conflict.catch(async () => {
        for (let tick = 0; tick < 20; tick++) await undefined
        return add(inner, 'b').catch(String)
      })
      await conflict
    })
    await expect(failing).rejects.toThrow(DatabaseConflict)
    const ended = await transaction(own, async (inner) => inner)
    await expect(add(ended, 'c')).rejects.toThrow('The transaction has ended.')
    await add(own, 'd')
  })

  expect(await late).toContain('The transaction has ended.')
  expect(await ids(db)).toEqual(['d'])
})

onEachEngine('a savepoint ends with the transaction around it', async (db) => {
  let late: Promise<unknown> | undefined
  await transaction(db, async (own) => {
    const opened = Promise.withResolvers<void>()
    late = transaction(own, async (inner) => {
      opened.resolve()
      for (let tick = 0; tick < 20; tick++) await undefined
      await add(inner, 'a')
    }).catch(String)
    await opened.promise
  })

  expect(await late).toContain('The transaction has ended.')
  expect(await ids(db)).toEqual([])
})

onEachEngine('a rejected statement among others undoes its savepoint only', async (db) => {
  await transaction(db, async (own) => {
    await add(own, 'a')
    const failing = transaction(own, async (inner) => {
      const results = await Promise.allSettled(['b', 'a', 'c'].map((id) => add(inner, id)))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    })
    await expect(failing).rejects.toThrow(DatabaseConflict)
    await add(own, 'd')
  })

  expect(await ids(db)).toEqual(['a', 'd'])
})

test('select * returns the columns of before a change of the schema that is rolled back', async () => {
  const { db } = await openTestSqlite()
  await sql`create table notes (id text)`.execute(db)
  await add(db, 'a')
  const failing = transaction(db, async (own) => {
    await sql`alter table notes rename column id to note_id`.execute(own)
    expect(await sql`select * from notes`.execute(own)).toMatchObject({ rows: [{ noteId: 'a' }] })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')

  expect(await transaction(db, (own) => sql`select * from notes`.execute(own))).toMatchObject({
    rows: [{ id: 'a' }],
  })
})

const insertLater = (db: Db, ...ids: string[]) =>
  insertRowsDeferred(
    db,
    'notes',
    ids.map((id) => ({ id })),
  )

onEachEngine('deferred rows are there for the next statement, and after the end', async (db) => {
  await transaction(db, async (own) => {
    const inserted = insertLater(own, 'a')
    void insertLater(own, 'b')
    expect(await ids(own)).toEqual(['a', 'b'])
    await inserted
    await transaction(own, async (inner) => {
      void insertLater(inner, 'c')
    })
    const statements = [insertLater(own, 'd')]
    await settleDeferred(own, statements)
    void insertLater(own, 'e')
  })

  expect(await ids(db)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

onEachEngine('deferred rows of a savepoint are rolled back with it', async (db) => {
  await transaction(db, async (own) => {
    const outer = insertLater(own, 'a')
    const failing = transaction(own, async (inner) => {
      void insertLater(inner, 'b')
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    await outer
    const conflict = transaction(own, (inner) => settleDeferred(inner, [insertLater(inner, 'a')]))
    await expect(conflict).rejects.toThrow(DatabaseConflict)
    void insertLater(own, 'c')
  })

  expect(await ids(db)).toEqual(['a', 'c'])
})
