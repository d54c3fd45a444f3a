import { sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'

/** The number of memories that the text index finds for a word. */
export async function searchWords(db: Db, word: string): Promise<number> {
  const query =
    engineOf(db) === 'postgres'
      ? sql<{ found: number | string }>`select count(*) as found from memories
          where words @@ to_tsquery('simple', ${word})`
      : sql<{ found: number }>`select count(*) as found from memories_fts
          where memories_fts match ${word}`
  const { rows } = await query.execute(db)
  return Number(rows[0]?.found)
}
