import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { bindList } from '../../../kernel/db/deferred-select.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openSqliteForTests } from '../../../kernel/testing/engines.ts'
import { planOf, scansOf } from '../../../kernel/testing/plan-of.ts'
import { recordQueries } from '../../../kernel/testing/record-queries.ts'
import { memoryMigrations } from '../migrations.ts'
import { countDuplicates } from './duplicates.ts'
import { memoryFeed } from './feed.ts'
import { countHolding, countIndexed, sliceRows } from './figures.ts'
import { deferHits } from './listing.ts'
import {
  byIds,
  counted,
  createRows,
  ids,
  inInsertOrder,
  inPart,
  ordered,
  readsMemories,
  request,
  rows,
  selective,
  these,
} from './plans.fixture.ts'
import { searchPieces } from './search.ts'

const timeOf = (seconds: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`
const database = await openSqliteForTests()
beforeAll(async () => {
  await createTables(database, memoryMigrations)
  for (const statement of createRows(timeOf)) await sql.raw(statement).execute(database.db)
}, 60_000)
afterAll(() => database.close())

/** What another thread reads of the file, in SQLite's own words. */
const readElsewhere = (text: string, parameters: readonly unknown[]) => (db: Db) =>
  db.executeQuery(CompiledQuery.raw(text, [...parameters]))

const ofOneRow = /^SCAN (seen|memory_revision|CONSTANT ROW)$/
const fed = {
  'what has changed': readElsewhere(memoryFeed.sql, [rows - 500, 500]),
  'the newest revision': readElsewhere(memoryFeed.newestSql, []),
}

const byIdsOfFile = {
  ...byIds,
  'memories that are found elsewhere': async (db: Db) => {
    const later = deferHits(db, these.at, request)
    if (!later) throw new Error('On a file it can be read elsewhere.')
    await readElsewhere(later.sql, bindList(later, ids))(db)
  },
}

test('counts of all rows read them in slices', async () => {
  const { db } = database
  const live = rows * 0.98
  const statements = await recordQueries(db, async (db) => {
    expect(await countIndexed(db)).toEqual({ live, indexed: live })
    expect(await countHolding(db, 'word7 of')).toEqual({ total: live, holding: 100 })
    const none = { exactClusters: 0, exactDuplicates: 0 }
    expect(await countDuplicates(db)).toEqual({ ...none, totalActive: live })
  })

  expect(statements.length).toBeGreaterThan((3 * live) / sliceRows)
})

test('substring search scans the newest matching memories', async () => {
  const find = async (piece: string) =>
    (await searchPieces(database.db, [piece], request)).map(({ memory }) => memory.id)

  expect(await find('word0 of 100000')).toEqual(['m100000'])
  expect(await find('word0 of 99000')).toEqual(['m99000'])
  expect(await find('word0 of 50000')).toEqual([])
})

describe.each([false, true])('with statistics: %s', (statistics) => {
  beforeAll(async () => {
    if (statistics) await sql`analyze`.execute(database.db)
  })

  test.each(Object.entries(inInsertOrder))('scans %s in insertion order', async (_, run) => {
    expect(scansOf(await planOf(database.db, run))).toEqual(['SCAN memories'])
  })

  test.each(Object.entries({ ...ordered, ...inPart, ...selective, ...byIdsOfFile }))(
    'reads %s through an index',
    async (name, run) => {
      const plan = await planOf(database.db, run)

      expect(plan.length).toBeGreaterThan(0)
      expect(scansOf(plan)).toEqual([])
      expect(
        plan.filter((step) =>
          /\bSCAN temporal_edges|\(subject_type=\?( AND facet=\?)?\)$/.test(step),
        ),
      ).toEqual([])
      // Not all of an index, either.
      if (name in selective) expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual([])
      if (name in ordered) expect(plan.join('\n')).not.toContain('TEMP B-TREE')
    },
  )

  test.each(Object.entries(counted))('reads %s without a memory', async (name, run) => {
    const plan = await planOf(database.db, run)
    const operation = name.includes('every') ? 'SCAN' : 'SEARCH'

    expect(plan).toContainEqual(expect.stringMatching(`^${operation} memory_counts`))
    expect(plan.filter(readsMemories)).toEqual([])
  })

  test.each(Object.entries(fed))('the feed reads %s in index order', async (_, run) => {
    const plan = await planOf(database.db, run)

    const isSearched = /^SEARCH memories USING (COVERING )?INDEX memories_revised/
    expect(plan).toContainEqual(expect.stringMatching(isSearched))
    expect(plan.filter((step) => step.startsWith('SCAN') && !ofOneRow.test(step))).toEqual([])
    expect(plan.join('\n')).not.toContain('TEMP B-TREE')
  })

  test.each(Object.entries(byIdsOfFile))('reads %s by id only', async (_, run) => {
    const steps = (await planOf(database.db, run)).filter((step) => / memories /.test(step))

    expect(steps).toEqual([expect.stringMatching(/ sqlite_autoindex_memories_1 \(id=\?\)$/)])
  })
})
