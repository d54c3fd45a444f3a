import { expect, test } from 'vitest'
import { createTables } from '../testing/create-tables.ts'
import { openTestSqlite } from '../testing/engines.ts'
import { compileSelectOnce } from './compile-once.ts'
import { contractTables } from './database.contract.ts'
import type { Db } from './database.ts'
import { toRows } from './row-names.ts'
import { openThreadReader } from './thread-reader.ts'

interface Note {
  readonly id: string
  readonly bodyText: string | null
  readonly stars: number
}

const tables = (db: Db) => db.withTables<{ notes: Note }>()

test('a deferred select returns the same rows as a select with a known list', async () => {
  const database = await openTestSqlite()
  const { db, file = '' } = database
  await createTables(database, [contractTables])
  const notes = ['a', 'b', 'c'].map((id, at) => ({ id, bodyText: `of ${id}`, stars: at }))
  await tables(db).insertInto('notes').values(notes).execute()
  const selecting = compileSelectOnce(
    (db, { ids, from, to }: { ids: readonly string[]; from: number; to: number }) =>
      tables(db)
        .selectFrom('notes')
        .select(['id', 'bodyText'])
        .where('stars', '>=', from)
        .where('id', 'in', ids)
        .where('stars', '<=', to)
        .orderBy('id'),
  )
  const reader = openThreadReader(file)

  const values = { ids: [], from: 1, to: 1 }
  for (const ids of [['a', 'b', 'c'], ['c'], ['x']]) {
    const select = structuredClone(selecting.later(db, values, 'ids', 3))
    const read = structuredClone(reader.readDeferred(select, ids))
    const known = await selecting(db, { ...values, ids })
    expect([ids, toRows(read)]).toEqual([ids, known])
    expect(known).toHaveLength(ids.filter((id) => id === 'b').length)
  }
  reader.close()
})
