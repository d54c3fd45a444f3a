import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Rows that one call of `damageWorkspace` adds for each repair. */
export const damage = { tombstones: 700, orphans: 1_600, pairs: 30, deadJobs: 600 }

/** Adds rows to the database of a stopped daemon that the repairs remove. */
export function damageWorkspace(workspace: string, round: number): void {
  const sqlite = new Sqlite(join(workspace, 'memory', 'memories.db'))
  const now = new Date()
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
  const memory = sqlite.prepare(`
    insert into memories (id, agent_id, visibility, content, content_hash, type, memory_kind,
      importance, pinned, who, source_type, extraction_status, version, revision, created_at,
      updated_at, updated_by, deleted_at)
    values (?, 'ada', ?, ?, ?, 'fact', 'episodic', 0.5, 0, 'ada', 'manual', 'none', 1,
      (select value from memory_revision), '${before(40)}', '${before(40)}', 'ada', ?)`)
  const event = sqlite.prepare(`
    insert into memory_history (id, memory_id, event, changed_by, actor_type, created_at)
    values (?, ?, ?, 'ada', 'operator', '${before(40)}')`)
  const vector = sqlite.prepare(`
    insert into memory_vectors (memory_id, agent_id, identity, passage, dims, content_hash, vector,
      created_at)
    values (?, 'ada', 'a model', 0, 1, 'none', zeroblob(4), '${now.toISOString()}')`)
  const job = sqlite.prepare(`
    insert into jobs (id, kind, payload, state, priority, attempts, max_attempts, run_after,
      created_at, updated_at)
    values (?, 'none', 'null', 'dead', 0, 3, 3, '${before(40)}', '${before(40)}', '${before(40)}')`)
  const add = (id: string, visibility: string, deletedAt: string | null = null) => {
    sqlite.exec('update memory_revision set value = value + 1')
    memory.run(
      id,
      visibility,
      `The fern ${id.split('~')[0]} is green.`,
      id.split('~')[0],
      deletedAt,
    )
    event.run(`${id}-1`, id, 'created')
    if (deletedAt) event.run(`${id}-2`, id, 'deleted')
  }
  sqlite.transaction(() => {
    for (let at = 0; at < damage.tombstones; at++) add(`t${round}-${at}`, 'global', before(31))
    for (let at = 0; at < damage.orphans; at++) vector.run(`o${round}-${at}`)
    for (let at = 0; at < damage.deadJobs; at++) job.run(`j${round}-${at}`)
    for (let at = 0; at < damage.pairs; at++) {
      add(`p${round}-${at}~1`, 'global')
      add(`p${round}-${at}~2`, 'private')
    }
    if (round === 0) sqlite.exec(`insert into memories_fts (memories_fts) values ('delete-all')`)
  })()
  sqlite.close()
}

/** Writes the log of the database to its file, and returns all of its bytes. */
export function readCheckpoint(workspace: string): Buffer {
  const sqlite = new Sqlite(join(workspace, 'memory', 'memories.db'))
  try {
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
    return sqlite.serialize()
  } finally {
    sqlite.close()
  }
}

/** The runs of repairs that a kill interrupted. */
export function listUnfinished(workspace: string): string[] {
  const sqlite = new Sqlite(join(workspace, 'memory', 'memories.db'))
  const query = `select id from repair_runs where state = 'running'`
  const ids = sqlite.prepare<[], string>(query).pluck().all()
  sqlite.close()
  return ids
}
