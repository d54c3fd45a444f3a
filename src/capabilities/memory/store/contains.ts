import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * Case-insensitive substring test for a non-empty part. No `like`: its patterns have
 * wildcards, and SQLite limits them to 50,000 bytes. Stored text has no NUL; SQLite would cut
 * the part at one.
 */
export function contains(text: Expression<string | null>, part: string): Expression<SqlBool> {
  if (part.includes('\0')) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`replace(lower(${text}), lower(${part}), '') <> lower(${text})`
}
