import Sqlite from 'better-sqlite3'
import { load } from 'sqlite-vec'
import { dims, type Invented } from './rows.ts'

export type Baseline = ReturnType<typeof createBaseline>

/** The common design: FTS5 with its own ranking, and sqlite-vec, in one in-memory database. */
export function createBaseline() {
  const sqlite = new Sqlite(':memory:')
  load(sqlite)
  sqlite.exec(`create virtual table words using fts5(content, tokenize = 'unicode61')`)
  sqlite.exec(
    `create virtual table vectors using vec0(vector float[${dims}] distance_metric=cosine)`,
  )
  const addWords = sqlite.prepare('insert into words (rowid, content) values (?, ?)')
  const addVector = sqlite.prepare('insert into vectors (rowid, vector) values (?, ?)')
  sqlite.exec('begin')
  const words = sqlite
    .prepare<[string], number>(
      'select rowid from words where words match ? order by rank limit 100',
    )
    .pluck()
  const vectors = sqlite
    .prepare<[Buffer], number>(
      'select rowid from vectors where vector match ? order by distance limit 100',
    )
    .pluck()
  return {
    add: (at: number, { content, vector }: Invented) => {
      addWords.run(at + 1, content)
      addVector.run(BigInt(at + 1), Buffer.from(vector.buffer))
    },
    /** Call this after the last row. */
    ready: () => sqlite.exec('commit'),
    searchWords: (content: string) => words.all(content.split(' ').join(' OR ')),
    searchVectors: (vector: Float32Array) => vectors.all(Buffer.from(vector.buffer)),
    close: () => sqlite.close(),
  }
}
