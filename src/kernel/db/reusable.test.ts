import { expect } from 'vitest'
import { testOnEachEngine } from '../testing/engines.ts'
import { contractTables } from './database.contract.ts'
import type { Db } from './database.ts'
import { reusable } from './reusable.ts'
import { writeTogether } from './write-together.ts'

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
    const inserting = reusable((db, note: Note) => {
      written.push(Object.keys(note))
      return tables(db).insertInto('notes').values(note)
    })

    const notes = [
      { id: 'a', bodyText: 'x' },
      { id: 'b', bodyText: null },
      { id: 'c', stars: 3 },
    ]
    await writeTogether(
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

onEachEngine('a value may stand in a write more than once', async (db) => {
  const insertingTwice = reusable((db, { id }: Pick<Note, 'id'>) =>
    tables(db)
      .insertInto('notes')
      .values([{ id, bodyText: id }])
      .onConflict((on) => on.column('id').doUpdateSet({ bodyText: id })),
  )

  await writeTogether(db, [insertingTwice(db, { id: 'a' }), insertingTwice(db, { id: 'b' })])

  const rows = await tables(db).selectFrom('notes').select('bodyText').orderBy('id').execute()
  expect(rows).toEqual([{ bodyText: 'a' }, { bodyText: 'b' }])
})
