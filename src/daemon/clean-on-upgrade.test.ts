import { expect, test } from 'vitest'
import { sessionsModule } from '../capabilities/sessions/index.ts'
import { transcriptsModule } from '../capabilities/transcripts/index.ts'
import { migrate } from '../kernel/db/migrations.ts'
import { engines, startPostgresAhead } from '../kernel/testing/engines.ts'

startPostgresAhead()

const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const written = `Maud keeps ${key} near <private>umbrage</private> and DB_PASSWORD=rosebud`
const window = {
  harness: 'mine',
  snippets: [written],
  remembers: [written],
  queries: ['ghp ab3de5'],
}
const steps = [...transcriptsModule.migrations, ...sessionsModule.migrations]
const at = '2026-01-02T03:04:05.000Z'

const rows = [
  `insert into session_windows (agent_id, session_key, content, updated_at)
    values ('ada', 's1', '${JSON.stringify(window)}', '${at}')`,
  `insert into memory_thread_heads
    (agent_id, thread_key, sample, source_type, node_id, latest_at)
    values ('ada', 't', '${written}', 'compaction', 'n', '${at}')`,
  `insert into session_checkpoints (id, agent_id, session_key, harness, trigger_kind,
      digest, prompt_count, memory_queries, recent_remembers, created_at)
    values ('c', 'ada', 's1', 'mine', 'periodic', '${written}\nQueries: ghp ab3de5', 1,
      '["ghp ab3de5"]', '${JSON.stringify([written])}', '${at}')`,
  `insert into session_summaries (agent_id, id, depth, kind, content, token_count, earliest_at,
      latest_at, source_type, created_at)
    values ('ada', 'n', 0, 'session', '${written}', 1, '${at}', '${at}', 'compaction', '${at}')`,
  `insert into memory_artifacts (agent_id, source_path, source_sha256, source_kind, session_token,
      captured_at, memory_sentence, content, updated_at)
    values ('ada', 'x', 'h', 'summary', 't', '${at}', '${written}', '', '${at}')`,
]
const stored = [
  ...(['sessionWindows', 'memoryThreadHeads', 'sessionCheckpoints'] as const),
  ...(['sessionSummaries', 'memoryArtifacts'] as const),
] as const
type Tables = Record<(typeof stored)[number], object>

test.for(engines)('an upgrade cleans texts of earlier sessions ($engine)', async ({ open }) => {
  const database = await open()
  const earlier = { id: '20261123T0109-rows', sqlite: rows, postgres: rows }

  await migrate(database, [...steps, earlier], new Date(0))

  const db = database.db.withTables<Tables>()
  const found = stored.map((table) => db.selectFrom(table).selectAll().execute())
  const text = JSON.stringify(await Promise.all(found)).toLowerCase()
  expect(text.match(/\[redacted\]/g)).toHaveLength(14)
  for (const mark of ['ab3de5', 'umbrage', 'rosebud']) expect(text).not.toContain(mark)
})
