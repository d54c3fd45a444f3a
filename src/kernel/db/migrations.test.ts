import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { engines, openTestSqlite, startPostgresAhead } from '../testing/engines.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import type { Database } from './database.ts'
import { listObjects, type Migration, migrate } from './migrations.ts'

startPostgresAhead()

const now = new Date(0)
const step = (id: string, ...texts: string[]) => ({ id, sqlite: texts, postgres: texts })
const notes = step('1-notes', 'create table notes (id text)', 'create index by_id on notes (id)')
const rewrite = (id: string): Migration => ({
  ...step(id, `insert into notes values ('${id}')`),
  changesData: true,
})
const run = (database: Database, text: string) => sql.raw(text).execute(database.db)

test.for(engines)('leaves a newer database unchanged ($engine)', async ({ open }) => {
  const database = await open()
  await migrate(database, [notes], now)

  await migrate(database, [notes], now)
  await expect(migrate(database, [], now)).rejects.toThrow('newer version: it has 1-notes')
})

test.for(engines)('rolls back a failed step ($engine)', async ({ open }) => {
  const database = await open()
  const failing = step('2-failing', 'create table half (id text)', 'create nonsense')

  await expect(migrate(database, [notes, failing], now)).rejects.toThrow(/syntax/)

  expect(await listObjects(database)).not.toContain('table half')
  await migrate(database, [notes, step('2-failing', 'create table whole (id text)')], now)
})

test.for(engines)('names a recorded table that is missing ($engine)', async ({ open }) => {
  const database = await open()
  await migrate(database, [notes], now)
  await run(database, 'drop index by_id')

  await expect(migrate(database, [notes], now)).rejects.toThrow(
    'The migration 1-notes is recorded as applied, but its index by_id is missing.',
  )
})

test.for(engines)(
  'accepts objects that a later step dropped or renamed ($engine)',
  async ({ open }) => {
    const database = await open()
    const steps = [
      notes,
      step('2-rename', 'alter table notes rename to pages', 'drop index by_id'),
      step('3-again', 'create table notes (id text)'),
    ]
    await migrate(database, steps, now)

    await migrate(database, steps, now)
    await run(database, 'drop table notes')
    await expect(migrate(database, steps, now)).rejects.toThrow('table notes is missing')
  },
)

test('ignores the internal tables of a text index', async () => {
  const database = await openTestSqlite()
  const index = { ...step('1-index'), sqlite: ['create virtual table words using fts5(text)'] }
  await migrate(database, [index], now)

  await migrate(database, [index], now)
  expect(await listObjects(database)).toEqual(['table migrations', 'table words'])
})

test('makes one verified copy before a step that changes data', async () => {
  const database = await openTestSqlite()
  const backups = async () =>
    (await readdir(dirname(database.file ?? ''))).filter((name) => /backup/.test(name))

  await migrate(database, [notes, rewrite('2-first')], now)
  expect(await backups()).toEqual([])

  await migrate(database, [notes, rewrite('2-first'), rewrite('3-next')], now)
  expect(await backups()).toEqual(['test.db.backup-3-next.db'])

  const steps = [notes, rewrite('2-first'), rewrite('3-next'), rewrite('4-last'), rewrite('5-end')]
  await migrate(database, steps, now)
  expect(await backups()).toEqual(['test.db.backup-4-last.db'])

  const file = join(dirname(database.file ?? ''), 'test.db.backup-4-last.db')
  const { rows } = await run(await openTestSqlite({ file }), 'select id from notes order by id')
  expect(rows).toEqual([{ id: '2-first' }, { id: '3-next' }])
})

test('does not run the step without disk space for the copy', async () => {
  const database = await openTestSqlite({ freeBytes: async () => 0 })
  await migrate(database, [notes], now)

  await expect(migrate(database, [notes, rewrite('2-next')], now)).rejects.toThrow(
    /needs \d+ bytes/,
  )

  expect((await run(database, 'select id from notes')).rows).toEqual([])
})

test('a process killed during a step keeps the steps before it', async () => {
  const file = join(await temporaryFolder(), 'test.db')
  const program = fileURLToPath(new URL('./migrate-and-die.fixture.ts', import.meta.url))
  const [, signal] = await once(
    spawn(process.execPath, [program, file], { stdio: 'inherit' }),
    'exit',
  )

  const database = await openTestSqlite({ file })

  expect(signal).toBe('SIGKILL')
  expect(await listObjects(database)).toEqual(['table migrations', 'table first'])
  const { rows } = await run(database, 'select id from migrations')
  expect([rows, (await run(database, 'select * from first')).rows]).toEqual([
    [{ id: '1-first' }],
    [],
  ])
})
