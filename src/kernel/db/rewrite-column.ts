import { sql } from 'kysely'
import type { Db } from './database.ts'

export interface Column {
  readonly table: string
  /** Name each row, in this order; texts. */
  readonly keys: readonly [string, string]
  readonly column: string
}

const rowsPerPage = 200

interface Row {
  readonly first: string
  readonly second: string
  readonly value: string
}

/** Rewrites one column of all rows, a page at a time. For migrations: run it in their transaction. */
export async function rewriteColumn(
  db: Db,
  { table, keys: [first, second], column }: Column,
  rewrite: (value: string, lastKey: string) => string,
): Promise<void> {
  const key = sql`(${sql.ref(first)}, ${sql.ref(second)})`
  let after: Pick<Row, 'first' | 'second'> | undefined = { first: '', second: '' }
  while (after) {
    const { rows }: { rows: Row[] } = await sql<Row>`
      select ${sql.ref(first)} as first, ${sql.ref(second)} as second, ${sql.ref(column)} as value
      from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${key} > (${after.first}, ${after.second})
      order by ${sql.ref(first)}, ${sql.ref(second)} limit ${sql.lit(rowsPerPage)}`.execute(db)
    for (const row of rows) {
      const value = rewrite(row.value, row.second)
      if (value !== row.value)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}
          where ${key} = (${row.first}, ${row.second})`.execute(db)
    }
    after = rows.length < rowsPerPage ? undefined : rows.at(-1)
  }
}
