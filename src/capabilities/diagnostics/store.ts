import { sql } from 'kysely'
import { type Db, engineOf } from '../../kernel/db/database.ts'

/** The cheapest possible query. */
export async function readOne(db: Db): Promise<void> {
  await db.selectNoFrom(sql<number>`1`.as('one')).execute()
}

export async function listTables(db: Db): Promise<string[]> {
  if (engineOf(db) === 'postgres') return listServerTables(db)
  const rows = await db
    .withTables<{ sqliteSchema: { name: string; type: string; sql: string | null } }>()
    .selectFrom('sqliteSchema')
    .select('name')
    .where('type', '=', 'table')
    .where('sql', 'not like', 'create virtual%')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Returns the first problem of a SQLite table and its indexes; undefined if it is intact. */
export async function findDamage(db: Db, table: string): Promise<string | undefined> {
  const check = sql<{ quickCheck: string }>`pragma_quick_check(${table})`.as('problem')
  const row = await db.selectFrom(check).selectAll().limit(1).executeTakeFirst()
  const problem = row?.quickCheck ?? 'no answer'
  return problem === 'ok' ? undefined : problem
}

/** Size of a server database in bytes. */
export async function readServerSize(db: Db): Promise<number> {
  const size = sql<string>`pg_database_size(current_database())`.as('bytes')
  const row = await db.selectNoFrom(size).executeTakeFirstOrThrow()
  return Number(row.bytes)
}

async function listServerTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema() order by tablename collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

/** The indexes of one table, from its rows. */
export async function rebuildIndexes(db: Db, table: string): Promise<void> {
  if (engineOf(db) === 'sqlite') return void (await sql`reindex ${sql.table(table)}`.execute(db))
  // A large table takes longer than a request may.
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`reindex table ${sql.table(table)}`.execute(db)
}
