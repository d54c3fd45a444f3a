import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openPostgresForTests, openSqliteForTests } from '../../../kernel/testing/engines.ts'
import {
  planOf,
  plansOf,
  runStatement,
  scansOf,
  tidyServer,
} from '../../../kernel/testing/plan-of.ts'
import { embeddingsMigrations } from '../migrations.ts'
import { isAmong } from './fake-predicates.fixture.ts'
import { postgresVectorFeed, vectorFeed } from './feed.ts'
import { countFailures, listDueFailures, readFailures } from './models.ts'
import { findProjection } from './projections.ts'
import { deleteSomeVectors, deleteVectors, readVectorHashes, readVectors } from './vectors.ts'

const rows = 100_000
/** Given how a database writes four empty bytes. */
const createRows = (bytes: string) => [
  `insert into embedding_models values
    ('tiny', 'tiny', 1, 'served', 'plain', 'active', 0, 'now', 'now'),
    ('old', 'old', 1, 'served', 'plain', 'retired', 0, 'now', 'now')`,
  `insert into memory_vectors
      (memory_id, agent_id, identity, passage, dims, content_hash, vector, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
    select 'm' || i, 'agent' || (i % 7), case when i % 10 = 0 then 'old' else 'tiny' end, 0, 1,
      'h' || i, ${bytes}, 'now' from n`,
  `insert into embedding_failures
    select identity, memory_id, agent_id, content_hash, 'no', 1, '2026-01-01', 'now'
      from memory_vectors where revision % 20 = 0`,
  `insert into umap_cache select memory_id, 2, content_hash, '', 'now'
    from memory_vectors where revision % 50 = 0`,
]

const database = await openSqliteForTests()
beforeAll(async () => {
  await createTables(database, embeddingsMigrations)
  for (const statement of createRows('zeroblob(4)')) await runStatement(database.db, statement)
}, 60_000)
afterAll(() => database.close())

/** What another thread reads of the file, in SQLite's own words. */
const readElsewhere = (text: string, parameters: readonly unknown[]) => (db: Db) =>
  db.executeQuery(CompiledQuery.raw(text, [...parameters]))

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
const fed = {
  'what was made since': readElsewhere(vectorFeed.sql, [rows - 500, 500]),
  'what was made of a memory': readElsewhere(vectorFeed.ofMemorySql, ['m7', rows]),
}
const fedByServer = {
  'what was made since': readElsewhere(postgresVectorFeed.sql, [rows - 500, 500, rows]),
  'the newest revision': readElsewhere(postgresVectorFeed.newestSql, []),
}

describe.each([false, true])('with statistics: %s', (statistics) => {
  beforeAll(async () => {
    if (statistics) await runStatement(database.db, 'analyze')
  })

  test.each(Object.entries({ ...queries, ...fed }))('%s are read by an index', async (_, run) => {
    const plan = await planOf(database.db, run)

    expect(plan.length).toBeGreaterThan(0)
    // Not all of an index, either.
    expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual([])
  })
})

const ofFewRows = / on embedding_models$/

describe('on a server', () => {
  let db!: Db
  beforeAll(async () => {
    const server = await openPostgresForTests()
    db = server.db
    await createTables(server, embeddingsMigrations)
    const bytes = "decode('00000000', 'hex')"
    for (const statement of createRows(bytes)) await runStatement(db, statement)
    await tidyServer(db)
    return () => server.close()
  }, 60_000)

  test.each(Object.entries({ ...queries, ...fedByServer }))(
    '%s are read by an index',
    async (_, run) => {
      const plan = await plansOf(db, run)

      expect(plan.length).toBeGreaterThan(0)
      expect(scansOf(plan).filter((step) => !ofFewRows.test(step))).toEqual([])
    },
  )
})
