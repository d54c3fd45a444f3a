import { sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { CatalogueTable } from '../catalogue.ts'
import { readPostgresCatalogue } from './postgres-catalogue.ts'
import { readSqliteCatalogue } from './sqlite-catalogue.ts'

/** Milliseconds for one statement on a server. */
const statementTimeoutMs = 5_000

export function readCatalogue(db: Db): Promise<readonly CatalogueTable[]> {
  return runReadOnly(db, engineOf(db) === 'postgres' ? readPostgresCatalogue : readSqliteCatalogue)
}

/** SQLite runs selects outside transactions on connections that cannot write. */
export async function runReadOnly<Result>(
  db: Db,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  if (engineOf(db) === 'sqlite') return work(db)
  return transaction(db, async (db) => {
    await sql`set transaction read only`.execute(db)
    await sql`set local statement_timeout = ${sql.lit(statementTimeoutMs)}`.execute(db)
    return work(db)
  })
}

/** Counts the rows of a table up to one above the maximum. */
export async function countRows(db: Db, name: string, max: number): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count
    from (select 1 from ${sql.id(name)} limit ${sql.lit(max + 1)}) as counted`.execute(
    db.withoutPlugins(),
  )
  return Number(rows[0]?.count ?? 0)
}

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Rows in the order of the primary key. The table is one of the catalogue. */
export async function selectRows(
  db: Db,
  { name, columns }: Pick<CatalogueTable, 'name' | 'columns'>,
  { limit, offset }: Page,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const keys = columns.filter(({ primaryKey }) => primaryKey).map((column) => sql.id(column.name))
  const order = keys.length > 0 ? sql`order by ${sql.join(keys)}` : sql``
  // The driver changes names of columns, so each gets an alias.
  const selected = columns.map(
    (column, index) => sql`${sql.id(column.name)} as ${sql.id(`c${index}`)}`,
  )
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(selected)}
    from ${sql.id(name)} ${order} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(
    db.withoutPlugins(),
  )
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column.name, row[`c${index}`]])),
  )
}
