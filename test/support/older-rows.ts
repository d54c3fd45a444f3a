import Sqlite from 'better-sqlite3'

const time = '2026-01-02T03:04:05.000Z'
export const olderRows = 200

/** Rows of an early version: memories with history and hints. */
export function insertOlderRows(file: string): void {
  const sqlite = new Sqlite(file)
  const memory = sqlite.prepare(`
    insert into memories (id, agent_id, visibility, content, content_hash, type, memory_kind,
      importance, tags, pinned, who, source_type, extraction_status, version, revision, created_at,
      updated_at, updated_by)
    values (?, 'default', 'global', ?, ?, 'fact', 'episodic', 0.8, 'old', 0, 'me', 'manual', 'none',
      1, ?, '${time}', '${time}', 'me')`)
  const history = sqlite.prepare(`
    insert into memory_history (id, memory_id, event, new_content, changed_by, actor_type, created_at)
    values (?, ?, 'created', ?, 'me', 'operator', '${time}')`)
  const hint = sqlite.prepare(
    `insert into memory_hints (memory_id, agent_id, hint) values (?, 'default', ?)`,
  )
  sqlite.transaction(() => {
    for (let number = 1; number <= olderRows; number++) {
      const [id, content] = [`old-${number}`, contentOf(number)]
      memory.run(id, content, id, number)
      history.run(`event-${number}`, id, content)
      hint.run(id, `where is number ${number}`)
    }
    sqlite.prepare('update memory_revision set value = ?').run(olderRows)
  })()
  sqlite.close()
}

export function contentOf(number: number): string {
  return `word${number} was saved by an early version`
}

/** Lists faults in the rows, or in the number of rows, of a closed file. */
export function findLostRows(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    const contents = sqlite
      .prepare(
        `select content from memories
           join memory_hints hints on hints.memory_id = memories.id
           join memory_history history on history.memory_id = memories.id
         where new_content = content`,
      )
      .pluck()
      .all()
    return Array.from({ length: olderRows }, (_, index) => contentOf(index + 1)).filter(
      (content) => !contents.includes(content),
    )
  } finally {
    sqlite.close()
  }
}

/** The applied steps of a file, in order. */
export function readApplied(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return sqlite.prepare<[], string>('select id from migrations order by id').pluck().all()
  } finally {
    sqlite.close()
  }
}
