import { type Expression, type SqlBool, sql } from 'kysely'

type TextColumn = 'project' | 'sourceType' | 'type' | 'who'

/** Longer texts do not fit into an index of PostgreSQL. */
export const indexedLength = 200

/** Matches the expression index. A plain column index would mislead the planner in other queries. */
export function indexed(column: TextColumn): Expression<string> {
  return sql<string>`coalesce(${sql.ref(column)}, '')`
}

/** For an index that holds the beginning of a text of any length. */
export function hasText(column: TextColumn, text = ''): Expression<SqlBool> {
  const beginning = [...text].slice(0, indexedLength).join('')
  const value = indexed(column)
  return sql<SqlBool>`substr(${value}, 1, ${sql.lit(indexedLength)}) = ${beginning} and ${value} = ${text}`
}
