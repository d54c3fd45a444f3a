import { CompiledQuery } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openPostgresForTests } from '../../../kernel/testing/engines.ts'
import {
  planOf,
  rowsOnServer,
  runStatement,
  scansOf,
  tidyServer,
} from '../../../kernel/testing/plan-of.ts'
import { memoryMigrations } from '../migrations.ts'
import { postgresMemoryFeed } from './feed.ts'
import {
  byIds,
  counted,
  createRows,
  inInsertOrder,
  inPart,
  ordered,
  readsMemories,
  selective,
} from './plans.fixture.ts'

const timeOf = (seconds: string) =>
  `to_char(to_timestamp(${seconds}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

let db!: Db
beforeAll(async () => {
  const database = await openPostgresForTests()
  db = database.db
  await createTables(database, memoryMigrations)
  for (const statement of createRows(timeOf, rowsOnServer)) await runStatement(db, statement)
  await tidyServer(db)
  return () => database.close()
}, 120_000)

/** Of uses, of opinions and of ranges of time a server may read all: their rows are small. */
const ofLargeRows = / on (?!memory_access|memory_feedback|temporal_edges)/

test.each(Object.entries({ ...ordered, ...inPart, ...selective, ...byIds }))(
  'PostgreSQL reads %s through an index',
  async (_, run) => {
    const plan = await planOf(db, run)

    expect(plan.length).toBeGreaterThan(0)
    expect(scansOf(plan).filter((step) => ofLargeRows.test(step))).toEqual([])
  },
)

test.each(Object.entries(byIds))('PostgreSQL reads %s by id only', async (_, run) => {
  const steps = (await planOf(db, run)).filter((step) => / on memories$/.test(step))

  expect(steps).toEqual(['Index Scan using memories_id_key on memories'])
})

test.each(Object.entries(inInsertOrder))(
  'PostgreSQL scans %s in insertion order',
  async (_, run) => {
    const isRead = /^(Parallel )?Seq Scan on memories$/
    expect(scansOf(await planOf(db, run))).toEqual([expect.stringMatching(isRead)])
  },
)

test.each(Object.entries(counted))('PostgreSQL reads %s without a memory', async (_, run) => {
  const plan = await planOf(db, run)

  expect(plan).toContainEqual(expect.stringMatching(/ on memory_counts/))
  expect(plan.filter(readsMemories)).toEqual([])
})

test('PostgreSQL reads the feed in index order', async () => {
  const query = CompiledQuery.raw(postgresMemoryFeed.sql, [rowsOnServer - 500, 500])
  const plan = await planOf(db, (db) => db.executeQuery(query))

  expect(plan).toContain('Index Scan using memories_revised on memories')
  expect(plan).toContain('Index Scan using memory_purged_pkey on memory_purged')
  expect(scansOf(plan)).toEqual([])
  expect(plan).not.toContain('Sort')
})
