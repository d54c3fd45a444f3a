import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'

/** The least that can be read. */
export async function readOne(db: Db): Promise<void> {
  await db.selectNoFrom(sql<number>`1`.as('one')).execute()
}

export async function listTables(db: Db): Promise<string[]> {
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

/** The first thing that is wrong with one table of SQLite and its indexes; undefined when nothing is. */
export async function findDamage(db: Db, table: string): Promise<string | undefined> {
  const check = sql<{ quickCheck: string }>`pragma_quick_check(${table})`.as('found')
  const row = await db.selectFrom(check).selectAll().limit(1).executeTakeFirst()
  const found = row?.quickCheck ?? 'no answer'
  return found === 'ok' ? undefined : found
}

/** Bytes of the database that a server keeps. */
export async function readServerSize(db: Db): Promise<number> {
  const size = sql<string>`pg_database_size(current_database())`.as('bytes')
  const row = await db.selectNoFrom(size).executeTakeFirstOrThrow()
  return Number(row.bytes)
}
