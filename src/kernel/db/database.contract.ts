import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database, Db } from './database.ts'
import { DatabaseConflict, DatabaseError } from './database-error.ts'
import { executeBatch } from './execute-batch.ts'
import { insertRows } from './insert-rows.ts'
import type { Migration } from './migrations.ts'
import { afterCommit, transaction } from './transaction.ts'

/** Conformance suite for all engines, on a database with these tables and no rows. */
export const contractTables: Migration = {
  id: '1-notes',
  up: ({ schema }) =>
    schema
      .createTable('notes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('body_text', 'text')
      .addColumn('stars', 'bigint')
      .execute(),
}

interface Case {
  readonly name: string
  /** Needs more than one connection. */
  readonly concurrent?: true
  readonly run: (database: Database) => Promise<void>
}

interface Note {
  readonly id: string
  readonly bodyText: string | null
  readonly stars: number | null
}

const tables = (db: Db) => db.withTables<{ notes: Note }>()
const note = (id: string, bodyText: string | null = null, stars: number | null = null) => ({
  id,
  bodyText,
  stars,
})
const insert = (db: Db, ...notes: Note[]) => tables(db).insertInto('notes').values(notes).execute()
const all = (db: Db) => tables(db).selectFrom('notes').selectAll().orderBy('id').execute()
const ids = async (db: Db) => (await all(db)).map(({ id }) => id)

export const contract: readonly Case[] = [
  {
    name: 'returns rows as they were inserted',
    run: async ({ db }) => {
      const notes = [note('a', 'Zoë 🜁 日本 e\u0301 \u202e\n\t', 3), note('b', '', -1), note('c')]

      await insert(db, ...notes)

      expect(await all(db)).toEqual(notes)
    },
  },
  {
    name: 'inserts any number of rows at once, and replaces those in conflict',
    run: async ({ db }) => {
      await Promise.all([insert(db, note('a', 'old', 1)), insertRows(db, 'notes', [])])
      const notes = [
        note('a', 'Zoë 🜁 日本 "\\\n\t{[', 2 ** 53 - 1),
        note('b', null, -1),
        note('c', ''),
        ...Array.from({ length: 500 }, (_, at) => note(`n${at}`, `body ${at}`, at)),
      ]
      await insertRows(db, 'notes', notes, (conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          bodyText: ref('excluded.bodyText'),
          stars: ref('excluded.stars'),
        })),
      )
      await insertRows(db, 'notes', [note('c', 'other')], (conflict) => conflict.doNothing())
      await insertRows(db, 'notes', [note('c')], (conflict) =>
        conflict.column('id').doUpdateSet({ bodyText: '', stars: null }),
      )
      const twice = insertRows(db, 'notes', [note('e'), note('a')])
      await expect(twice).rejects.toThrow(DatabaseConflict)
      expect(await all(db)).toEqual(notes.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    },
  },
  {
    name: 'updates and deletions return the number of affected rows',
    run: async ({ db }) => {
      await insert(db, note('a'), note('b'))

      const changed = await tables(db).updateTable('notes').set({ stars: 1 }).executeTakeFirst()
      const deleted = await tables(db).deleteFrom('notes').where('id', '=', 'a').executeTakeFirst()

      expect([changed.numUpdatedRows, deleted.numDeletedRows]).toEqual([2n, 1n])
    },
  },
  {
    name: 'counts and sums are numbers',
    run: async ({ db }) => {
      await insert(db, note('a', null, 2), note('b', null, 3))

      const { rows } = await sql`select count(*) as n, sum(stars) as total from notes`.execute(db)

      expect(rows).toEqual([{ n: 2, total: 5 }])
    },
  },
  {
    name: 'an upsert updates and returns the row',
    run: async ({ db }) => {
      await insert(db, note('a', 'old', 1))

      const rows = await tables(db)
        .insertInto('notes')
        .values(note('a', 'new'))
        .onConflict((on) => on.column('id').doUpdateSet({ bodyText: 'new' }))
        .returningAll()
        .execute()

      expect(rows).toEqual([note('a', 'new', 1)])
    },
  },
  {
    name: 'an insert may ignore a conflict',
    run: async ({ db }) => {
      await insert(db, note('a', 'old'))

      const rows = await tables(db)
        .insertInto('notes')
        .values(note('a', 'new'))
        .onConflict((on) => on.doNothing())
        .returning('id')
        .execute()

      expect([rows, await all(db)]).toEqual([[], [note('a', 'old')]])
    },
  },
  {
    name: 'a unique violation is a conflict, other errors are not',
    run: async ({ db }) => {
      await insert(db, note('a'))
      const other = await sql`select nothing from nowhere`.execute(db).catch((error) => error)

      await expect(insert(db, note('a'))).rejects.toBeInstanceOf(DatabaseConflict)
      expect(other).toBeInstanceOf(DatabaseError)
      expect(other).not.toBeInstanceOf(DatabaseConflict)
    },
  },
  {
    name: 'a failed transaction rolls back and runs no callbacks',
    run: async ({ db }) => {
      const announced: string[] = []

      const failing = transaction(db, async (db) => {
        await insert(db, note('a'))
        afterCommit(db, () => announced.push('a'))
        throw new Error('changed my mind')
      })

      await expect(failing).rejects.toThrow('changed my mind')
      expect([await ids(db), announced]).toEqual([[], []])
    },
  },
  {
    name: 'a failed inner transaction rolls back alone, and other callbacks run in order',
    run: async ({ db }) => {
      const announced: string[] = []
      const add = async (db: Db, id: string) => {
        await insert(db, note(id))
        afterCommit(db, () => announced.push(id))
      }

      await transaction(db, async (db) => {
        await add(db, 'outer')
        const inner = transaction(db, async (db) => {
          await add(db, 'inner')
          await add(db, 'outer')
        })
        await expect(inner).rejects.toBeInstanceOf(DatabaseConflict)
        await transaction(db, (db) => add(db, 'second'))
        await add(db, 'last')
        expect(announced).toEqual([])
      })

      const rows = ['outer', 'second', 'last']
      expect([await ids(db), announced]).toEqual([rows.toSorted(), rows])
    },
  },
  {
    name: 'a batch runs in order, or not at all',
    run: async ({ db }) => {
      const adding = (id: string) => tables(db).insertInto('notes').values(note(id))
      const setStar = tables(db).updateTable('notes').set({ stars: 1 })

      expect(await executeBatch(db, [adding('a'), setStar, adding('b')])).toEqual([1, 1, 1])
      const failing = executeBatch(db, [adding('c'), adding('a')])

      await expect(failing).rejects.toBeInstanceOf(DatabaseConflict)
      expect(await all(db)).toEqual([note('a', null, 1), note('b')])
    },
  },
  {
    name: 'a batch within a transaction is part of it',
    run: async ({ db }) => {
      const adding = (db: Db, id: string) => tables(db).insertInto('notes').values(note(id))

      const failing = transaction(db, async (own) => {
        expect(await executeBatch(own, [adding(own, 'a'), adding(own, 'b')])).toEqual([1, 1])
        expect(await ids(own)).toEqual(['a', 'b'])
        throw new Error('changed my mind')
      })

      await expect(failing).rejects.toThrow('changed my mind')
      expect(await ids(db)).toEqual([])
    },
  },
  {
    name: 'in a group commit only the faulty batch fails',
    run: async ({ db }) => {
      const adding = (id: string) => tables(db).insertInto('notes').values(note(id))
      const setStar = tables(db).updateTable('notes').set({ stars: 1 })
      const written = ['a', 'b', 'a', 'c'].map((id) => executeBatch(db, [adding(id), setStar]))

      const outcomes = await Promise.allSettled(written)

      const statuses = outcomes.map(({ status }) => status)
      expect(statuses).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
      expect(outcomes[3]).toMatchObject({ value: [1, 3] })
      expect(await ids(db)).toEqual(['a', 'b', 'c'])
    },
  },
  {
    name: 'keyset pages have no gaps or repetitions',
    run: async ({ db }) => {
      const written = Array.from({ length: 25 }, (_, at) => `note-${String(at).padStart(2, '0')}`)
      await insert(db, ...written.map((id) => note(id)))

      const read: string[] = []
      for (let page = 0; page < 4; page++) {
        const query = tables(db).selectFrom('notes').select('id').orderBy('id').limit(10)
        const rows = await query.where('id', '>', read.at(-1) ?? '').execute()
        read.push(...rows.map(({ id }) => id))
      }

      expect(read).toEqual(written)
    },
  },
  {
    name: 'background reads see committed rows',
    run: async ({ db, background }) => {
      await insert(db, note('a'))
      await insert(background, note('b'))

      expect([await ids(background), await ids(db)]).toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ])
    },
  },
  {
    name: 'transactions are isolated from each other',
    run: async ({ db }) => {
      const addTwo = (id: string) =>
        transaction(db, async (db) => {
          await insert(db, note(`${id}1`))
          await insert(db, note(`${id}2`))
          return ids(db)
        })

      const seen = await Promise.all([addTwo('a'), addTwo('b')])

      for (const own of seen) expect([2, 4]).toContain(own.length)
      expect(await ids(db)).toHaveLength(4)
    },
  },
  {
    name: 'reads during a transaction see the state before it',
    concurrent: true,
    run: async ({ db, background }) => {
      await insert(db, note('old'))

      await transaction(db, async (own) => {
        await insert(own, note('new'))
        expect(await ids(own)).toEqual(['new', 'old'])
        expect([await ids(db), await ids(background)]).toEqual([['old'], ['old']])
      })

      expect(await ids(db)).toEqual(['new', 'old'])
    },
  },
  {
    name: 'closing waits for queued work and refuses more',
    concurrent: true,
    run: async (database) => {
      const { db } = database
      const given = Array.from({ length: 20 }, (_, at) => insert(db, note(`${at}`)))
      const reads = [ids(db), ids(database.background)]

      await database.close()

      await expect(Promise.all([...given, ...reads])).resolves.toHaveLength(22)
      await expect(ids(db)).rejects.toThrow()
    },
  },
]
