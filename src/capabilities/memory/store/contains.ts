import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * Whether a part, which is not empty, stands in a text, in any case. No `like`: its patterns have
 * wildcards, and SQLite takes none of over 50,000 bytes.
 */
export function contains(text: Expression<string | null>, part: string): Expression<SqlBool> {
  return sql<SqlBool>`replace(lower(${text}), lower(${part}), '') <> lower(${text})`
}
