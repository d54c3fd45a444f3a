import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { launchDaemon } from '../../test/support/daemon-process.ts'
import { contentOf } from '../knowledge/graph.ts'
import { databaseFile } from '../knowledge/places.ts'
import { seedMemories } from '../knowledge/seed.ts'
import { copyRows } from '../postgres/copy-rows.ts'
import { createClient, throwOnError } from '../support/client.ts'
import { stop } from '../support/daemon.ts'

/** A file of the workspace, or an empty database of a server. */
export interface Place {
  readonly workspace: string
  readonly url: string | undefined
}

type Row = Readonly<Record<string, number | string>>

/** Stores memories as the daemon does, without its HTTP calls. */
export async function seed({ workspace, url }: Place, memories: number): Promise<void> {
  const size = { memories, entities: Math.min(memories, 1_000), claims: 0 }
  const daemon = await launchDaemon({ workspace })
  const call = throwOnError(createClient(daemon.url))
  await call('POST /api/memory/remember', { content: contentOf(0, size) })
  await stop(daemon)
  const file = join(workspace, databaseFile)
  seedMemories(file, size)
  if (url === undefined) return
  await stop(await launchDaemon({ workspace, env: { SVC_DATABASE_URL: url } }))
  await copyRows(file, url, ['memory_history'])
}

/** Writes what passes write when they have read each memory and found nothing. */
export async function markAllRead(place: Place): Promise<void> {
  await run(
    place,
    `insert into dreaming_evidence
      (agent_id, source_kind, source_id, content_hash, source_time, chars, rules_chars,
        model_chars, priority, disposition)
    select agent_id, 'memory', id, substr(content_hash, 1, 8), created_at, length(content),
      length(content), 0, 0, 'empty'
    from memories where agent_id = 'bench' and memory_kind = 'episodic'
    on conflict (agent_id, source_kind, source_id) do update set
      rules_chars = excluded.chars, disposition = 'empty', pass_id = null`,
  )
  await run(
    place,
    `update dreaming_state set memory_cursor = (select value from memory_revision)
      where agent_id = 'bench'`,
  )
  if (place.url !== undefined) await run(place, 'vacuum analyze dreaming_evidence')
}

/** Bytes of the tables with these words in their names, with their indexes. */
export async function readBytes(place: Place, words: string): Promise<number> {
  const query =
    place.url === undefined
      ? `select coalesce(sum(pgsize), 0) as figure from dbstat where name like '%${words}%'`
      : `select coalesce(sum(pg_total_relation_size(oid)), 0)::float8 as figure from pg_class
          where relkind = 'r' and relname like '%${words}%'`
  return readFigure(place, query)
}

export async function countRows(place: Place, table: string): Promise<number> {
  return readFigure(place, `select count(*) as figure from ${table}`)
}

async function readFigure(place: Place, query: string): Promise<number> {
  const [row] = await run(place, query)
  return Number(row?.['figure'])
}

async function run({ workspace, url }: Place, query: string): Promise<readonly Row[]> {
  if (url !== undefined) {
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<Row>(query)
    await client.end()
    return rows
  }
  const sqlite = new Sqlite(join(workspace, databaseFile))
  const statement = sqlite.prepare<[], Row>(query)
  const rows = statement.reader ? statement.all() : []
  if (!statement.reader) statement.run()
  sqlite.close()
  return rows
}
