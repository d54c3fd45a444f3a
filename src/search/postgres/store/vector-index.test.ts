import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { openTestPostgres } from '../../../kernel/testing/engines.ts'
import { createPostgresHarness } from '../harness.fixture.ts'
import { nearestSql } from './nearest.ts'
import { withIndexSettings } from './vector-index.ts'

/** Starts a PostgreSQL of its own. */
const slow = { timeout: 60_000 }

const name = 'an index scan continues until enough rows pass the filter'
test(name, slow, async ({ skip }) => {
  const database = await openTestPostgres()
  const { db } = database
  const known = sql`select 1 from pg_available_extensions where name = 'vector'`
  skip((await known.execute(db)).rows.length === 0)
  const { insert, embed, open } = await createPostgresHarness(database, {
    vectorIndexThreshold: 40,
  })
  // More rows than one index scan returns.
  const nearer = Array.from({ length: 300 }, (_, at) => [Math.cos(at / 999), Math.sin(at / 999)])
  await insert('usual', 'a note')
  await embed('usual', 'tiny', nearer)
  await insert('rare', 'another note', { type: 'rare' })
  await embed('rare', 'tiny', [[0.6, 0.8]])
  await open()
  await expect.poll(() => countIndexes(db)).toBe(1)

  const hits = await withIndexSettings(db, { isIndexed: true }, async (db) => {
    // With few rows the planner prefers a scan.
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(
      db,
    )
    const near = { identity: 'tiny', text: '[1,0]', dims: 2 }
    const may = sql`m.type = 'rare'`
    return sql<{ memoryId: string }>`${nearestSql(near, { visibility: may, count: 10 })}`.execute(
      db,
    )
  })

  expect(hits.rows.map(({ memoryId }) => memoryId)).toEqual(['rare'])
})

async function countIndexes(db: Db): Promise<number> {
  const hits = await sql`select 1 from pg_indexes
    where starts_with(indexname, 'memory_search_near_')`.execute(db)
  return hits.rows.length
}
