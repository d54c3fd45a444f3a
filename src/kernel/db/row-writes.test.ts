import { type Expression, sql } from 'kysely'
import { expect } from 'vitest'
import { testOnEachEngine } from '../testing/engines.ts'
import { contractTables } from './database.contract.ts'
import type { Db } from './database.ts'
import { executeBatch } from './execute-batch.ts'
import { insertRowsQuery, updateRowsQuery } from './row-writes.ts'

const onEachEngine = testOnEachEngine([contractTables])
const all = async (db: Db) =>
  (await db.withTables<{ notes: object }>().selectFrom('notes').selectAll().execute()).map((row) =>
    Object.values(row),
  )
const inserted = { table: 'notes', skipsConflicts: true }
const updated = {
  table: 'notes',
  keys: ['id', 'stars'],
  expressions: { stars: (value: object) => sql`${value} + 1` },
}

onEachEngine('inserts rows in order, without those in conflict', async (db) => {
  const hostile = `'"\\ \u0001 \ud800 😀 $1 {} null`
  const rows = [
    { id: 'b', bodyText: hostile, stars: 2 },
    { id: 'a', bodyText: null, stars: 2 ** 40 },
    { id: 'b', bodyText: 'again', stars: 3 },
  ]
  const counts = await executeBatch(db, [insertRowsQuery(db, inserted, rows)])

  expect(counts).toEqual([2])
  expect(await all(db)).toEqual([
    ['b', hostile.toWellFormed(), 2],
    ['a', null, 2 ** 40],
  ])
})

onEachEngine('computes columns from the values of a row', async (db) => {
  const counting = { table: 'notes', expressions: { stars: (value: object) => sql`${value} * 10` } }
  await executeBatch(db, [
    insertRowsQuery(db, counting, [
      { id: 'a', stars: 1 },
      { id: 'b', stars: 2 },
    ]),
  ])

  expect(await all(db)).toEqual([
    ['a', null, 10],
    ['b', null, 20],
  ])
})

onEachEngine('inserts the rows only that fulfil a condition', async (db) => {
  const condition = (read: (column: string) => Expression<unknown>) => sql`${read('stars')} > 1`
  const conditional = { table: 'notes', condition }
  const counts = await executeBatch(db, [
    insertRowsQuery(db, conditional, [
      { id: 'a', bodyText: null, stars: 1 },
      { id: 'b', bodyText: null, stars: 2 },
    ]),
  ])

  expect(counts).toEqual([1])
  expect(await all(db)).toEqual([['b', null, 2]])
})

onEachEngine('updates the rows with these keys only', async (db) => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id, bodyText: 'old', stars: 1 }))
  await executeBatch(db, [insertRowsQuery(db, { table: 'notes' }, rows)])
  await executeBatch(db, [
    updateRowsQuery(db, updated, [
      { id: 'a', bodyText: 'new', stars: 1 },
      { id: 'b', bodyText: null, stars: 1 },
      { id: 'c', bodyText: 'changed meanwhile', stars: 7 },
    ]),
  ])

  expect((await all(db)).toSorted()).toEqual([
    ['a', 'new', 2],
    ['b', null, 2],
    ['c', 'old', 1],
  ])
})
