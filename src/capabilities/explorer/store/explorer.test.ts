import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { testOnEachEngine } from '../../../kernel/testing/engines.ts'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { isLong, plansOf, runStatement, scansOf } from '../../../kernel/testing/plan-of.ts'
import { createCounter, readSchema } from '../read-schema.ts'
import { readSample } from '../sample.ts'
import { readCatalogue, runReadOnly, selectRows } from './rows.ts'

const statements = [
  `create table "odd ""name"" x" (id integer primary key, body text not null default 'a',
     data text, made_at text)`,
  'create index odd_body on "odd ""name"" x" (body)',
  'create table child (id text primary key, parent integer references "odd ""name"" x" (id))',
  'create table app_passwords (id text primary key, hash text)',
  'create table notes (id text primary key, client_secret text)',
  'create view odd_view as select body from "odd ""name"" x"',
]
const onEachEngine = testOnEachEngine([
  { id: '20260101T0000-explorer', sqlite: statements, postgres: statements },
])
const odd = 'odd "name" x'

function explorer(background: Db) {
  const needs = { background, host: manualClockHost() }
  return { needs, count: createCounter(needs) }
}

onEachEngine('the schema has columns, indexes, foreign keys and blocked tables', async (db) => {
  const { needs, count } = explorer(db)
  const { groups, tables } = await readSchema(needs, count)
  const find = (name: string) => tables.find((table) => table.name === name)

  expect(find(odd)).toMatchObject({
    kind: 'table',
    group: 'other',
    rowCount: 0,
    sampleAllowed: true,
    columns: [
      { name: 'id', primaryKey: true },
      { name: 'body', notNull: true, defaultValue: expect.stringContaining("'a'") },
      { name: 'data', notNull: false },
      { name: 'made_at' },
    ],
    indexes: expect.arrayContaining([
      expect.objectContaining({ name: 'odd_body', columns: [{ seqno: 0, cid: 1, name: 'body' }] }),
    ]),
  })
  expect(find('child')?.foreignKeys).toMatchObject([{ table: odd, from: 'parent', to: 'id' }])
  expect(find('odd_view')?.kind).toBe('view')
  for (const name of ['app_passwords', 'notes'])
    expect(find(name)).toMatchObject({ sampleAllowed: false })
  expect(Object.values(groups).reduce((sum, size) => sum + size, 0)).toBe(tables.length)
})

onEachEngine('a sample of a large table reads the first rows of its key', async (db) => {
  await runStatement(
    db,
    `insert into child (id) with recursive n (i) as
       (select 1 union all select i + 1 from n where i < ${isLong ? 100_000 : 2_000})
     select 'c' || i from n`,
  )
  if (engineOf(db) === 'postgres') await runStatement(db, 'analyze child')
  const table = (await readCatalogue(db)).find(({ name }) => name === 'child')
  if (!table) throw new Error('no table')
  const plan = await plansOf(db, (db) => selectRows(db, table, { limit: 101, offset: 0 }))

  expect(scansOf(plan)).toEqual([])
  expect(plan.filter((step) => /TEMP B-TREE|^Sort/.test(step))).toEqual([])
})

onEachEngine('a sample is ordered, paged and has no credential', async (db) => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  for (const id of [3, 1, 2])
    await sql`insert into ${sql.id(odd)} values (${id}, ${`use ${token} now`}, ${'x'.repeat(3_000)}, 'now')`.execute(
      db.withoutPlugins(),
    )
  const { needs, count } = explorer(db)
  const page = await readSample(needs, count, { table: odd, limit: 2, offset: 0 })
  const rest = await readSample(needs, count, { table: odd, limit: 2, offset: 2 })

  expect(page).toMatchObject({
    columns: ['id', 'body', 'data', 'made_at'],
    rowCount: 3,
    hasMore: true,
  })
  expect(page.rows.map(({ id }) => Number(id))).toEqual([1, 2])
  expect(page.rows[0]).toHaveProperty('made_at', 'now')
  expect(JSON.stringify(page)).not.toContain(token)
  expect(String(page.rows[0]?.['data'])).toHaveLength(2_001)
  expect(rest).toMatchObject({ rows: [{}], hasMore: false })
})

onEachEngine('names that are no table of the catalogue are not found', async (db) => {
  const { needs, count } = explorer(db)
  const injected = ['x', `${odd}"; drop table child; --`, 'child union select 1', 'main.child']
  for (const table of [...injected, 'public.child', ''])
    await expect(readSample(needs, count, { table, limit: 1, offset: 0 })).rejects.toMatchObject({
      code: 'table_not_found',
    })
  for (const table of ['app_passwords', 'notes'])
    await expect(readSample(needs, count, { table, limit: 1, offset: 0 })).rejects.toMatchObject({
      code: 'table_blocked',
    })
  expect(await readSample(needs, count, { table: 'child', limit: 1, offset: 0 })).toBeDefined()
})

onEachEngine('the transaction of a server refuses a write', async (db) => {
  const insert = sql`insert into child (id) values ('x')`
  const written = runReadOnly(db, (db) => insert.execute(db))

  // SQLite sends selects alone to its read-only connections.
  if (engineOf(db) === 'sqlite') await expect(written).resolves.toBeDefined()
  else await expect(written).rejects.toThrow('read-only')
})
