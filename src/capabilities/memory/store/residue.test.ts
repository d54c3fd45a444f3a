import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openTestSqlite } from '../../../kernel/testing/engines.ts'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { agentsModule } from '../../agents/index.ts'
import { giveFeedback } from '../feedback.ts'
import { forget } from '../forget.ts'
import { memoryNeeds, onEachEngine, plain } from '../memory.fixture.ts'
import { memoryMigrations } from '../migrations.ts'
import { remember } from '../remember.ts'
import { sweepExpired } from '../sweep.fixture.ts'

import { countAccess } from './access.ts'

const ada = callerFor('ada')
const secret = 'umbrage'
const later = fixedHost('2026-03-01T00:00:00.000Z')

async function rememberAndForget(db: Db): Promise<string> {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, ada, {
    ...plain(`the word is ${secret}`),
    hints: [`where is ${secret}`],
    tags: [secret],
    evidence: { said: secret },
    spans: [{ facet: 'valid', startAt: '2026-01-01T00:00:00.000Z', endAt: null }],
  })
  const { id } = memory
  await countAccess(db, [id], { times: 1, at: '2026-01-02T00:00:00.000Z' })
  await giveFeedback(needs, ada, { key: 's', ratings: new Map([[id, 1]]) })
  await forget(needs, ada, { id, reason: 'a test', force: true, ifVersion: undefined })
  return id
}

onEachEngine('a purge removes the content from every table', async (db) => {
  const id = await rememberAndForget(db)
  const { needs } = memoryNeeds(db)
  await remember(needs, ada, plain('what stays'))
  expect((await listHolding(db, secret)).length).toBeGreaterThan(0)

  await sweepExpired({ ...needs, host: later })

  expect(await listHolding(db, secret)).toEqual([])
  // That it was there is all that is known of it, for those who keep copies.
  expect(await listHolding(db, id)).toEqual(['memory_purged'])
})

test('the file has no residue of purged content after a checkpoint', async () => {
  const database = await openTestSqlite()
  await createTables(database, [...agentsModule.migrations, ...memoryMigrations])
  await rememberAndForget(database.db)
  await sweepExpired({ ...memoryNeeds(database.db).needs, host: later })
  await database.maintain()

  expect((await readFile(database.file ?? '')).includes(secret)).toBe(false)
})

/** The tables that hold a text somewhere, the hidden ones of an index among them. */
async function listHolding(db: Db, text: string): Promise<string[]> {
  const listed =
    engineOf(db) === 'postgres'
      ? sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = current_schema() and table_type = 'BASE TABLE'`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  const { rows: names } = await listed.execute(db)
  const holding: string[] = []
  for (const { name } of names) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db)
    if (JSON.stringify(rows, readable).includes(text)) holding.push(name)
  }
  return holding
}

/** Pages of an index are bytes. */
function readable(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value
}
