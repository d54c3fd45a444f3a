import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { listObjects } from '../db/migrations.ts'
import { createTables } from './create-tables.ts'
import { engines } from './engines.ts'

const texts = [
  'create table notes (id text primary key, stars integer not null default 3)',
  'create index by_stars on notes (stars) where stars > 2',
  "insert into notes (id) values ('first'), ('it''s second')",
]
const renamed = ['alter table notes rename to pages']
const migrations = [
  { id: '1-notes', sqlite: texts, postgres: texts },
  { id: '2-pages', sqlite: renamed, postgres: renamed },
]

test.for(engines)(
  'every database has the same tables as the first one ($engine)',
  async ({ open }) => {
    const first = await contentOf(await open())
    const second = await contentOf(await open())

    expect(second).toEqual(first)
    expect(first.objects).toEqual(expect.arrayContaining(['table pages', 'index by_stars']))
    expect(first.rows).toEqual([
      { id: 'first', stars: 3 },
      { id: "it's second", stars: 3 },
    ])
  },
)

test.for(engines)(
  'other migrations with the same names create other tables ($engine)',
  async ({ open }) => {
    await contentOf(await open())
    const database = await open()
    const others = ['create table others (id text)']

    await createTables(database, [{ id: '1-notes', sqlite: others, postgres: others }])

    const objects = await listObjects(database)
    expect(objects).toContain('table others')
    expect(objects).not.toContain('table notes')
  },
)

async function contentOf(database: Database) {
  await createTables(database, migrations)
  const read = async (table: string) =>
    (await sql`select * from ${sql.table(table)} order by id`.execute(database.db)).rows
  return {
    objects: (await listObjects(database)).toSorted(),
    rows: await read('pages'),
    ledger: await read('migrations'),
  }
}
