import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { createTables } from '../../kernel/testing/create-tables.ts'
import { openPostgresForTests, openSqliteForTests } from '../../kernel/testing/engines.ts'
import { planOf, runStatement, scansOf, tidyServer } from '../../kernel/testing/plan-of.ts'
import { recallMigrations } from './migrations.ts'
import { countRecallEvents, findEpoch, listLedgerItems, listRecallEvents } from './store.ts'

const context = { sessionKey: 's', agentId: 'ada' }
const queries: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'the epoch of a session': (db) => findEpoch(db, context),
  'items that a session received': (db) =>
    listLedgerItems(db, { ...context, epoch: 1 }, ['one', 'two']),
  'recall events of sessions': (db) =>
    countRecallEvents(db, 'ada', { keys: ['s', 't'], limit: 20 }),
  'the last recall events of a session': (db) => listRecallEvents(db, context, 20),
}

const generated = [
  `insert into session_context_epochs (session_key, agent_id, epoch, reason, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000)
    select 's' || (i / 4), 'agent' || (i % 4), 1, 'compaction', '2026-01-01' from n`,
  `insert into session_recall_events
      (session_key, agent_id, context_epoch, item_kind, item_id, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)
    select 's' || (i / 40), 'agent' || (i % 4), 1, 'memory', 'm' || i, '2026-01-01' from n`,
]
const database = await openSqliteForTests()
beforeAll(async () => {
  await createTables(database, recallMigrations)
  for (const statement of generated) await runStatement(database.db, statement)
}, 60_000)
afterAll(() => database.close())

describe.each([false, true])('with statistics: %s', (statistics) => {
  beforeAll(async () => {
    if (statistics) await runStatement(database.db, 'analyze')
  })

  test.each(Object.entries(queries))('%s uses an index on a large table', async (_, run) => {
    const plan = await planOf(database.db, run)

    expect(plan.length).toBeGreaterThan(0)
    // Not all of an index, either.
    expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual([])
  })
})

describe('on a server', () => {
  let db!: Db
  beforeAll(async () => {
    const server = await openPostgresForTests()
    db = server.db
    await createTables(server, recallMigrations)
    for (const statement of generated) await runStatement(db, statement)
    await tidyServer(db)
    return () => server.close()
  }, 60_000)

  test.each(Object.entries(queries))('%s uses an index on a large table', async (_, run) => {
    const plan = await planOf(db, run)

    expect(plan.length).toBeGreaterThan(0)
    expect(scansOf(plan)).toEqual([])
  })
})
