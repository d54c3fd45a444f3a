import { beforeAll, beforeEach, expect, test } from 'vitest'
import { recallMigrations } from '../../../capabilities/recall/migrations.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openPostgresForTests } from '../../../kernel/testing/engines.ts'
import {
  plansOf,
  rowsOnServer,
  runStatement,
  scansOf,
  tidyServer,
} from '../../../kernel/testing/plan-of.ts'
import { type CandidateRequest, readCandidates } from './candidates.ts'
import { readCorpusStats } from './corpus-stats.ts'
import type { MaskRequest } from './filters.ts'
import { readSimilar } from './nearest.ts'
import { changeTermCounts, deleteNames, deleteRows } from './texts.ts'
import { buildVectorIndexes, vectorIndexName, withIndexSettings } from './vector-index.ts'
import { deleteVectorsOf, openVectors, replaceVectors } from './vectors.ts'

const rows = rowsOnServer
/** As many as can be indexed in seconds; with fewer the planner prefers a scan. */
const vectors = 10_000
const generated = [
  `insert into memory_search (memory_id, content_hash, agent_id, visibility, session_id, type, who,
      source_type, pinned, deleted, importance, created_at, superseded_at, traits, length, words,
      words_length, hints, hints_length, pieces, pieces_length)
    select 'm' || i, 'h' || i, 'agent' || (i % 2), 'global',
      case when i % 2 = 0 then 's' || (i / 40) end, 'fact', 'who' || (i % 5000), 'manual', 0, 0, 0.5, i,
      'Infinity', 0, 3, ('word' || (i % 1000) || ':1 usual:1 n' || i || ':1')::tsvector, 3,
      case when i % 5 = 0 then ('hint' || (i % 500) || ':1')::tsvector else '' end,
      case when i % 5 = 0 then 1 else 0 end, decode(repeat('01020304', 40), 'hex'), 40
    from generate_series(1, ${rows}) i`,
  `insert into memory_search_terms
    select 'words', 'n' || i, 1 from generate_series(1, ${rows}) i`,
  `insert into memory_search_names
    select 'who' || i, 'who' || i from generate_series(0, 4999) i`,
  // Vectors of the former model come first, as after a change of the model.
  `insert into memory_search_vectors
    select identity, 'm' || i, 0, 2, 'h' || i, ('[' || cos(i) || ',' || sin(i) || ']')::halfvec
    from generate_series(1, ${vectors}) i, (values ('old'), ('tiny')) as models (identity)
    order by identity, i`,
]

const readScope = { agentId: 'agent1', policy: 'shared', groupAgents: [], project: null } as const
const mask = { readScope, filters: { scope: null } } as const
const ids = ['m1', 'm2', 'm3']
const norm = { base: 1, step: 0.1 }
const request: Omit<CandidateRequest, 'mask'> = {
  terms: ['word7', 'hint7'],
  selectedTerms: { words: ['word7'], hints: ['hint7'] },
  idfs: { words: [3, 0], hints: [0, 2] },
  lengthNorms: { words: norm, hints: norm },
  nearVector: { identity: 'tiny', text: '[1,0]', dims: 2 },
  count: 200,
}
const masks: Readonly<Record<string, MaskRequest>> = {
  all: mask,
  'all as of a day': { ...mask, asOf: '2026-01-01' },
  'all of its own': { ...mask, readScope: { ...readScope, policy: 'isolated' } },
  'a session': { ...mask, filters: { scope: null, sessionId: 's7' } },
  some: { ...mask, ids },
}
const few = ['a session', 'some']

const one = 'select 1 as revision'
const feed = { sql: one, sweptSql: one, newestSql: one, settledSql: one, identitiesSql: one }
const memoryFeed = { ...feed, countSql: one }
const vectorFeed = { ...feed, ofMemoriesSql: one, storedIdentitiesSql: one }
const source = { feeds: { memoryFeed, vectorFeed }, hasVectors: true }
const asking = { request: mask, terms: ['n7', 'n8'], queryTokens: [7], nameWords: ['who7'] }
const vector = { memoryId: 'm4', passage: 0, contentHash: 'h4', vector: new Float32Array([1, 0]) }
const statements: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'what is known of a question': (db) =>
    readCorpusStats(db, source, { ...asking, identity: 'tiny' }),
  'what is known of one by a model without vectors': (db) =>
    readCorpusStats(db, source, { ...asking, identity: 'new' }),
  'what is similar': (db) => readSimilar(db, { ...mask, id: 'm7', identity: 'tiny', limit: 10 }),
  'what is replaced': (db) => deleteRows(db, ids),
  'counts of words': (db) => changeTermCounts(db, [{ field: 'words', term: 'n9', change: -1 }]),
  'names of those who are gone': (db) => deleteNames(db, ['who7', 'who8']),
  'vectors that are replaced': (db) => replaceVectors(db, [{ ...vector, identity: 'tiny' }]),
  'vectors of what is gone': (db) => deleteVectorsOf(db, ids),
}

let db!: Db
let lack: string | undefined
beforeAll(async () => {
  const database = await openPostgresForTests()
  const close = () => database.close()
  db = database.db
  await createTables(database, recallMigrations)
  lack = await openVectors(db)
  if (lack !== undefined) return close
  for (const statement of generated) await runStatement(db, statement)
  await buildVectorIndexes(db, { from: vectors, signal: new AbortController().signal })
  await tidyServer(db)
  return close
}, 120_000)
beforeEach(({ skip }) => skip(lack !== undefined, lack))

const explain = (run: (db: Db) => Promise<unknown>) =>
  withIndexSettings(db, { isIndexed: true }, (db) => plansOf(db, run))
const ofFewRows = / memory_search_(state|fields)\b/
const near = `Index Scan using ${vectorIndexName('tiny')} on memory_search_vectors v`

test.each(Object.entries(statements))('among many rows an index is used for %s', async (_, run) => {
  const plan = await explain(run)

  expect(plan.length).toBeGreaterThan(0)
  expect(scansOf(plan).filter((step) => !ofFewRows.test(step))).toEqual([])
})

test.each(Object.entries(masks))(
  'of many rows, indexes lead to the best of %s',
  async (name, mask) => {
    const plan = await explain((db) => readCandidates(db, { ...request, mask }))

    expect(plan.length).toBeGreaterThan(0)
    expect(scansOf(plan)).toEqual([])
    if (few.includes(name)) return
    expect(plan).toContain('Bitmap Index Scan on memory_search_words')
    expect(plan).toContain('Bitmap Index Scan on memory_search_hints')
    expect(plan).toContain(near)
  },
)

test('among many vectors the vector index finds similar memories', async () => {
  const similar = { ...mask, id: 'm7', identity: 'tiny', limit: 10 }

  expect(await explain((db) => readSimilar(db, similar))).toContain(near)
})

test('session neighbours are read from an ordered index', async () => {
  const plan = await explain((db) => readCandidates(db, { ...request, mask }))

  const isBeside =
    /^Index Cond: .*session_id = .*agent_id = .*COALESCE\(n?\.?project.*ROW\(created_at, memory_id\) [<>] ROW/
  expect(plan.filter((step) => isBeside.test(step))).toHaveLength(2)
})
