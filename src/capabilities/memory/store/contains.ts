import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * Whether a part, which is not empty, stands in a text, in any case. No `like`: its patterns have
 * wildcards, and SQLite takes none of over 50,000 bytes. No text holds a NUL, at which SQLite would
 * cut the part.
 */
export function contains(text: Expression<string | null>, part: string): Expression<SqlBool> {
  if (part.includes('\0')) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`replace(lower(${text}), lower(${part}), '') <> lower(${text})`
}
