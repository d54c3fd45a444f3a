import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Changes the database of a daemon, which may be running. */
export function executeSql(workspace: string, statement: string): void {
  const sqlite = openWorkspaceDatabase(workspace)
  try {
    sqlite.exec(statement)
  } finally {
    sqlite.close()
  }
}

/** Renames a table, so that a running daemon does not find it until it is renamed back. */
export function renameTable(workspace: string, name: string, to: string): void {
  executeSql(workspace, `alter table ${name} rename to ${to}`)
}

/** Lets the budgets count what killed calls have reserved, as ten minutes later. */
export function expireReservations(workspace: string): void {
  executeSql(workspace, `update inference_reservations set expires_at = '2000-01-01T00:00:00.000Z'`)
}

/** Makes forgotten memories as old as the retention allows; the next sweep purges them. */
export function expireForgotten(workspace: string): void {
  executeSql(
    workspace,
    `update memories set deleted_at = '2000-01-01T00:00:00.000Z' where deleted_at is not null`,
  )
}

/** Opens the file of a daemon, which may be running. */
function openWorkspaceDatabase(workspace: string): Sqlite.Database {
  return new Sqlite(join(workspace, 'memory', 'memories.db'))
}

/** Milliseconds until a daemon that has nothing to write is stopped all the same. */
const maxWaits = 2_000

/** Holds the lock of the writer, so that a running daemon waits with its next change. */
export function lockDatabase(workspace: string) {
  const sqlite = openWorkspaceDatabase(workspace)
  sqlite.exec('begin immediate')
  return {
    /** Lets the daemon commit one change or a few, and stops it again. */
    yield: async () => {
      sqlite.exec('commit')
      const readVersion = () => sqlite.pragma('data_version', { simple: true })
      const before = readVersion()
      for (let waits = 0; readVersion() === before && waits < maxWaits; waits++)
        await new Promise((resolve) => setTimeout(resolve, 1))
      sqlite.exec('begin immediate')
    },
    release: () => sqlite.close(),
  }
}

/** Numbers of the rows of a source. */
export type SourceRows = Readonly<Record<'chunks' | 'artifacts' | 'nodes' | 'files', number>>

export function countSourceRows(workspace: string, sourceId: string): SourceRows {
  const sqlite = openWorkspaceDatabase(workspace)
  const count = (table: string) =>
    sqlite
      .prepare<[string], number>(`select count(*) from ${table} where source_id = ?`)
      .pluck()
      .get(sourceId) ?? 0
  try {
    return {
      chunks: count('source_chunks'),
      artifacts: count('source_artifacts'),
      nodes: count('knowledge_source_nodes'),
      files: count('source_files'),
    }
  } finally {
    sqlite.close()
  }
}

/** Integrity errors that SQLite reports, and rows that differ from their history. */
export function inspectDatabase(workspace: string): string[] {
  const sqlite = openWorkspaceDatabase(workspace)
  try {
    // Throws if the text index differs from the stored rows.
    for (const index of ['memories_fts', 'memory_hints_fts'])
      sqlite.exec(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`)
    return [
      ...complaints(sqlite.pragma('integrity_check')),
      ...complaints(sqlite.pragma('foreign_key_check')),
      ...column(
        sqlite,
        `select id from memories where id not in
           (select memory_id from memory_history where event = 'created')`,
      ).map((id) => `${id} has no history`),
      ...column(
        sqlite,
        `select id from memories where (deleted_at is not null) <>
           (id in (select memory_id from memory_history where event = 'deleted'))`,
      ).map((id) => `${id} is deleted in one place only`),
    ]
  } finally {
    sqlite.close()
  }
}

/** Tables with a row that contains this text, including the hidden tables of an index. */
export function listHolding(workspace: string, text: string): string[] {
  const sqlite = openWorkspaceDatabase(workspace)
  try {
    const names = column(sqlite, `select name from sqlite_master where type = 'table'`)
    return names.filter((name) => {
      const cells = sqlite.prepare<[], unknown[]>(`select * from "${name}"`).raw().all().flat()
      return cells.some((cell) =>
        Buffer.isBuffer(cell) ? cell.includes(text) : String(cell).includes(text),
      )
    })
  } finally {
    sqlite.close()
  }
}

/** The vector of the whole text, then of its passages. */
export function readVectorsOf(workspace: string, memoryId: string): Buffer[] {
  const sqlite = openWorkspaceDatabase(workspace)
  try {
    const reading = sqlite.prepare<[string], Buffer>(
      'select vector from memory_vectors where memory_id = ? order by passage',
    )
    return reading.pluck().all(memoryId)
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
