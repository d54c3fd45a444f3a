import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Rows } from '../support/rows.ts'

export interface Direct {
  insert(content: string): void
  read(number: number): unknown
  search(question: string): unknown
  close(): void
}

/** A minimal memory store for comparison: one table, one text index, no daemon. */
export function openDirect(folder: string, rows: Rows, count: number): Direct {
  const sqlite = new Sqlite(join(folder, 'direct.db'))
  sqlite.pragma('journal_mode = wal')
  sqlite.pragma('synchronous = normal')
  sqlite.exec(`
    create table memories (id integer primary key, hash text not null unique, content text not null);
    create virtual table words using fts5(content, content='memories', content_rowid='id');
    create trigger word_in after insert on memories
      begin insert into words (rowid, content) values (new.id, new.content); end`)
  const insertRow = sqlite.prepare('insert into memories (hash, content) values (?, ?)')
  const readRow = sqlite.prepare('select * from memories where id = ?')
  const searchRows = sqlite.prepare(`
    select memories.*, bm25(words) as score from words join memories on memories.id = words.rowid
    where words match ? order by score limit 10`)
  const insert = (content: string) => {
    insertRow.run(createHash('sha256').update(content).digest('hex'), content)
  }
  sqlite.transaction(() => {
    for (let number = 0; number < count; number++) insert(rows.content(number))
  })()
  return {
    insert,
    read: (number) => readRow.get(number + 1),
    search: (question) => searchRows.all(question.split(' ').join(' OR ')),
    close: () => sqlite.close(),
  }
}
