import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sessionsMigrations } from '../capabilities/sessions/index.ts'
import { transcriptsMigrations } from '../capabilities/transcripts/index.ts'
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
const steps = [...transcriptsMigrations, ...sessionsMigrations]
const at = '2026-01-02T03:04:05.000Z'

test.for(engines)('an upgrade cleans texts of earlier sessions ($engine)', async ({ open }) => {
  const database = await open()
  const run = (text: string) => sql.raw(text).execute(database.db)
  await migrate(
    database,
    steps.filter(({ id }) => id < '20261123T0110'),
    new Date(0),
  )
  await run(`insert into session_windows (agent_id, session_key, content, updated_at)
    values ('ada', 's1', '${JSON.stringify(window)}', '${at}')`)
  await run(`insert into memory_thread_heads
    (agent_id, thread_key, sample, source_type, node_id, latest_at)
    values ('ada', 't', '${written}', 'compaction', 'n', '${at}')`)
  await run(`insert into session_checkpoints (id, agent_id, session_key, harness, trigger_kind,
      digest, prompt_count, memory_queries, recent_remembers, created_at)
    values ('c', 'ada', 's1', 'mine', 'periodic', '${written}\nQueries: ghp ab3de5', 1,
      '["ghp ab3de5"]', '${JSON.stringify([written])}', '${at}')`)

  await migrate(database, steps, new Date(0))

  const stored = []
  for (const table of ['session_windows', 'memory_thread_heads', 'session_checkpoints'])
    stored.push((await run(`select * from ${table}`)).rows)
  const text = JSON.stringify(stored).toLowerCase()
  expect(text.match(/\[redacted\]/g)).toHaveLength(10)
  for (const mark of ['ab3de5', 'umbrage', 'rosebud']) expect(text).not.toContain(mark)
})
