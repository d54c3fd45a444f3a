import { expect } from 'vitest'
import { testOnEachEngine } from '../testing/engines.ts'
import { compileOnce, compileSelectOnce } from './compile-once.ts'
import { contractTables } from './database.contract.ts'
import type { Db } from './database.ts'
import { executeBatch } from './execute-batch.ts'

const onEachEngine = testOnEachEngine([contractTables])

interface Note {
  readonly id: string
  readonly bodyText?: string | null
  readonly stars?: number
}

const tables = (db: Db) => db.withTables<{ notes: Note }>()

onEachEngine(
  'a write is written once for each set of names, and filled in each time',
  async (db) => {
    const written: string[][] = []
    const inserting = compileOnce((db, note: Note) => {
      written.push(Object.keys(note))
      return tables(db).insertInto('notes').values(note)
    })

    const notes = [
      { id: 'a', bodyText: 'x' },
      { id: 'b', bodyText: null },
      { id: 'c', stars: 3 },
    ]
    await executeBatch(
      db,
      notes.map((note) => inserting(db, note)),
    )

    expect(written).toEqual([
      ['id', 'bodyText'],
      ['id', 'stars'],
    ])
    expect(await tables(db).selectFrom('notes').selectAll().orderBy('id').execute()).toEqual([
      { id: 'a', bodyText: 'x', stars: null },
      { id: 'b', bodyText: null, stars: null },
      { id: 'c', bodyText: null, stars: 3 },
    ])
  },
)

onEachEngine('a write may contain a value more than once', async (db) => {
  const insertingTwice = compileOnce((db, { id }: Pick<Note, 'id'>) =>
    tables(db)
      .insertInto('notes')
      .values([{ id, bodyText: id }])
      .onConflict((on) => on.column('id').doUpdateSet({ bodyText: id })),
  )

  await executeBatch(db, [insertingTwice(db, { id: 'a' }), insertingTwice(db, { id: 'b' })])

  const rows = await tables(db).selectFrom('notes').select('bodyText').orderBy('id').execute()
  expect(rows).toEqual([{ bodyText: 'a' }, { bodyText: 'b' }])
})

onEachEngine('a select is compiled once for lists of about one length', async (db) => {
  const lengths: number[] = []
  const selecting = compileSelectOnce((db, { ids, stars }: { ids: string[]; stars: number }) => {
    lengths.push(ids.length)
    return tables(db)
      .selectFrom('notes')
      .select(['id', 'bodyText'])
      .where('id', 'in', ids)
      .where('stars', '=', stars)
      .orderBy('id')
  })
  const notes = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, bodyText: `of ${id}`, stars: 1 }))
  await tables(db).insertInto('notes').values(notes).execute()

  expect(await selecting(db, { ids: ['c', 'a', 'b'], stars: 1 })).toEqual(
    ['a', 'b', 'c'].map((id) => ({ id, bodyText: `of ${id}` })),
  )
  for (const [ids, stars, found] of [
    [['a', 'b', 'c', 'd'], 1, 4],
    [['e', 'x', 'y'], 1, 1],
    [['e'], 2, 0],
  ] as const)
    expect(await selecting(db, { ids: [...ids], stars })).toHaveLength(found)
  expect(lengths).toEqual([4, 1])
})

onEachEngine(
  'what is the same each time is a part of the statement, and no parameter',
  async (db) => {
    const renaming = compileOnce((db, { id }: Pick<Note, 'id'>) =>
      tables(db).updateTable('notes').set({ bodyText: "o'clock" }).where('id', '=', id),
    )

    const { sql, parameters } = renaming(db, { id: 'a' }).compile()

    expect(parameters).toEqual(['a'])
    expect(sql).toContain("'o''clock'")
  },
)
