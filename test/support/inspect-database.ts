import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Opens the file of a daemon that has ended. */
function openWorkspaceDatabase(workspace: string): Sqlite.Database {
  return new Sqlite(join(workspace, 'memory', 'memories.db'))
}

/** What SQLite itself finds wrong with the file, and the rows that have no history. */
export function inspectDatabase(workspace: string): string[] {
  const sqlite = openWorkspaceDatabase(workspace)
  try {
    return [
      ...complaints(sqlite.pragma('integrity_check')),
      ...complaints(sqlite.pragma('foreign_key_check')),
      ...column(
        sqlite,
        `select id from memories where id not in
           (select memory_id from memory_history where event = 'created')`,
      ).map((id) => `${id} has no history`),
    ]
  } finally {
    sqlite.close()
  }
}

function complaints(rows: unknown): string[] {
  return (rows as Record<string, unknown>[])
    .map((row) => Object.values(row).join(' '))
    .filter((text) => text !== 'ok')
}

function column(sqlite: Sqlite.Database, query: string): string[] {
  return sqlite.prepare(query).pluck().all() as string[]
}
