import { expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { describePlans } from '../../../kernel/testing/describe-plans.ts'
import { isLong, scansOf } from '../../../kernel/testing/plan-of.ts'
import { sourcesMigrations } from '../migrations.ts'
import { findArtifactStates, findLiveArtifact, listPaths } from './artifacts.ts'
import { artifactChanges } from './changed-artifacts.ts'
import { listChunksById, listStoredChunks } from './chunks.ts'
import { findVectorsByWords } from './vectors.ts'

const noteCount = isLong ? 50_000 : 2_000
const chunks = 4 * noteCount
const numbers = (count: number) =>
  `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`
const generated = [
  `insert into source_artifacts (agent_id, source_id, generation, source_path, source_sha256,
     source_kind, captured_at, updated_at, content, is_deleted) ${numbers(noteCount)}
   select 'ada', 'garden', 'g', '/garden/' || (i % 50) || '/note' || i, 'h', 'note', '2026', '2026', '', 0 from n`,
  `insert into source_chunks (id, chunk_id, agent_id, source_id, generation, source_path, source_type,
     heading, line_from, line_to, text, content_hash, words_hash, revision, created_at) ${numbers(chunks)}
   select 'c' || i, 'c' || i, 'ada', 'garden', 'g', '/garden/' || (i % 50) || '/note' || (i / 4), 'chunk', '',
     1, 2, 'words ' || i, 'h' || i, 'w' || i, i, '2026' from n`,
  `insert into source_chunk_vectors (revision, chunk_id, source_id, identity, dims, words_hash,
     vector) ${numbers(chunks)}
   select i, 'c' || i, 'garden', 'model', 1, 'w' || i, 'word' from n`,
]

const source = { agentId: 'ada', sourceId: 'garden' }
const paths = Array.from({ length: 100 }, (_, i) => `/garden/7/note${i}`)
const page = { agentId: 'ada', after: '', limit: 500 }

const queries: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'the chunks of paths': (db) => listStoredChunks(db, { ...source, paths }),
  'the states of paths': (db) => findArtifactStates(db, { ...source, paths }),
  'the note of a path': (db) => findLiveArtifact(db, 'ada', '/garden/7/note7'),
  'the first page of the paths': (db) => listPaths(db, 'garden', page),
  'the paths of a folder': (db) => listPaths(db, 'garden', { ...page, prefix: '/garden/7/' }),
  'the artifacts after a cursor': (db) =>
    artifactChanges.list(db, 'ada', { after: { updatedAt: '2025', id: '' }, limit: 50 }),
  'chunks by id': (db) => listChunksById(db, ['c2', 'c4']),
  'the vectors of equal words': (db) => findVectorsByWords(db, 'model', ['w2', 'w4']),
}

/** Most databases have one agent, so that these indexes find all rows. */
const readsAgent = /\(agent_id=\?\)/

describePlans({ migrations: sourcesMigrations, generated }, (readPlans) => {
  test.each(Object.entries(queries))('reads %s through a selective index', async (_, run) => {
    const plans = await readPlans(run)

    expect(plans.length).toBeGreaterThan(0)
    expect(scansOf(plans)).toEqual([])
    expect(plans.join('\n')).not.toMatch(readsAgent)
  })
})
