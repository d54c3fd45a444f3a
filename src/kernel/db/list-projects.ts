import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Rows of a session: those whose column has the key. */
export interface SessionRows {
  readonly table: string
  readonly column: string
  readonly key: string
}

/** The distinct projects of a session's rows in these tables; null for rows without a project. */
export async function listProjectsOf(
  db: Db,
  agentId: string,
  sources: readonly SessionRows[],
): Promise<readonly (string | null)[]> {
  const selects = sources.map(
    ({ table, column, key }) =>
      sql`select project from ${sql.table(table)} where agent_id = ${agentId} and ${sql.ref(column)} = ${key}`,
  )
  const query = sql<{ project: string | null }>`${sql.join(selects, sql` union `)}`
  return (await query.execute(db)).rows.map(({ project }) => project)
}
