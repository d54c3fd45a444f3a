import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { openSqlite } from '../../kernel/db/sqlite/open-sqlite.ts'
import { createTables } from '../../kernel/testing/create-tables.ts'
import { planOf, scansOf } from '../../kernel/testing/plan-of.ts'
import { recallMigrations } from './migrations.ts'
import { countRecallEvents, findEpoch, listRecallEvents, listRecalled } from './store.ts'

const context = { sessionKey: 's', agentId: 'ada' }
const queries: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'the epoch of a session': (db) => findEpoch(db, context),
  'what a session was told': (db) => listRecalled(db, { ...context, epoch: 1 }, ['one', 'two']),
  'what sessions were told': (db) => countRecallEvents(db, 'ada', { keys: ['s', 't'], limit: 20 }),
  'the last that a session was told': (db) => listRecallEvents(db, context, 20),
}

test('what the ledger is asked is found by an index', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-'))
  const database = await openSqlite({ file: join(folder, 'test.db'), synchronous: 'normal' })
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  await createTables(database, recallMigrations)

  for (const [name, run] of Object.entries(queries)) {
    const plan = await planOf(database.db, run)
    expect([name, plan.length > 0, scansOf(plan)]).toEqual([name, true, []])
  }
})
