import { expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openTestSqlite } from '../../../kernel/testing/engines.ts'
import { planOf, scansOf } from '../../../kernel/testing/plan-of.ts'
import { embeddingsMigrations } from '../migrations.ts'
import { countFailures, listDueFailures, readFailures } from './failures.ts'
import { isAmong } from './played.fixture.ts'
import { findProjection } from './projections.ts'
import { deleteSomeVectors, deleteVectors, readVectorHashes, readVectors } from './vectors.ts'

const ids = ['one', 'two', 'three']
const isLive = isAmong(ids)
const due = { now: '2026-01-02', limit: 8, isLive }

const queries: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'vectors of some': (db) => readVectors(db, 'tiny', ids),
  'what vectors were made of': (db) => readVectorHashes(db, 'tiny', ids),
  'what goes of a model': (db) => deleteSomeVectors(db, 'tiny', 200),
  'what goes with a memory': (db) => deleteVectors(db, ids),
  'what was refused': (db) => readFailures(db, 'tiny', ids),
  'how much was refused': (db) => countFailures(db, 'tiny', isLive),
  'what is tried again': (db) => listDueFailures(db, 'tiny', due),
  'a projection': (db) => findProjection(db, { scope: 'ada', dimensions: 2 }),
}

test.each(Object.entries(queries))('%s are found by an index', async (_name, run) => {
  const database = await openTestSqlite()
  await createTables(database, embeddingsMigrations)

  const plan = await planOf(database.db, run)

  expect(plan.length).toBeGreaterThan(0)
  expect(scansOf(plan)).toEqual([])
})
