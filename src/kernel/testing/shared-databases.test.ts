import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../db/database.ts'
import { testOnEachEngine } from './engines.ts'

const owners = 'create table owners (name text primary key, stars integer not null)'
const notes =
  'create table notes (id integer primary key, owner text not null references owners (name))'
const seed = "insert into owners (name, stars) values ('ada', 3)"
const counted = (id: string) => `create table ${id} (id text, place integer)`
const migrations = [
  {
    id: '1-notes',
    sqlite: [owners, notes, 'create table numbers (id integer primary key autoincrement)', seed],
    postgres: [owners, notes, 'create table numbers (id serial primary key)', seed],
  },
]
const others = [{ id: '1-others', sqlite: [counted('others')], postgres: [counted('others')] }]

const onEachEngine = testOnEachEngine(migrations)
const onOthers = testOnEachEngine(others)

const changes: Readonly<Record<string, readonly string[]>> = {
  'rows and a sequence': [
    "insert into owners (name, stars) values ('bob', 1)",
    "insert into notes (id, owner) values (1, 'bob')",
    'insert into numbers default values',
  ],
  'a deleted number': ['insert into numbers default values', 'delete from numbers'],
  'changed rows of a migration': ["update owners set stars = 5, name = 'eve'"],
  'deleted rows of a migration': ['delete from owners'],
  'a dropped table': ['drop table notes'],
  'new objects': ['create table more (id text)', 'create index by_stars on owners (stars)'],
  'a new column': ['alter table owners add column age integer'],
}

onEachEngine('retains the rows that migrations insert', expectFresh)

onOthers('other migrations have other tables', async (db) => {
  await sql`insert into others (id, place) values ('one', 1)`.execute(db)
  await expect(sql`select * from owners`.execute(db)).rejects.toThrow('owners')
})

for (const [name, statements] of Object.entries(changes)) {
  onEachEngine(`a test makes changes: ${name}`, async (db) => {
    await expectFresh(db)
    for (const statement of statements) await sql.raw(statement).execute(db)
  })
  onEachEngine(`the next test does not see them: ${name}`, expectFresh)
}

onOthers('the other tables come back without rows', async (db) => {
  expect(await read(db, 'others')).toEqual([])
})

const leaked: Db[] = []
onEachEngine('this test leaks its handle', async (db) => {
  leaked.push(db)
})
test('closes the handle of a file after its test', async () => {
  const [sqlite] = leaked
  await expect(sqlite && sql`select 1`.execute(sqlite)).rejects.toThrow('destroyed')
})

async function expectFresh(db: Db): Promise<void> {
  expect(await read(db, 'owners')).toEqual([{ name: 'ada', stars: 3 }])
  expect(await read(db, 'notes')).toEqual([])
  expect(await read(db, 'migrations')).toEqual([expect.objectContaining({ id: '1-notes' })])
  await expect(sql`select * from more`.execute(db)).rejects.toThrow('more')
  await sql`insert into numbers default values`.execute(db)
  expect(await read(db, 'numbers')).toEqual([{ id: 1 }])
}

async function read(db: Db, table: string): Promise<unknown[]> {
  return (await sql`select * from ${sql.table(table)}`.execute(db)).rows
}
