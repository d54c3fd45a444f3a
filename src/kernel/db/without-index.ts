import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * A condition for rows that their ids lead to. By itself SQLite, which keeps no statistics, prefers the
 * index of a column with one value to that of twenty ids, and reads all that an agent has for them.
 */
export function withoutIndex(condition: Expression<SqlBool>): Expression<SqlBool> {
  return sql<SqlBool>`case when ${condition} then 1 else 0 end = 1`
}
