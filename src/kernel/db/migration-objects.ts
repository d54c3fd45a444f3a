import { type RawBuilder, sql } from 'kysely'
import type { Database, Engine } from './database.ts'

/** What one applied step did to the schema. */
export interface Changes {
  readonly id: string
  readonly created: readonly string[]
  readonly dropped: readonly string[]
}

/** What the engines make by themselves is left out: it comes and goes with the rest. */
const objects: Readonly<Record<Engine, RawBuilder<{ object: string }>>> = {
  sqlite: sql`
    select type || ' ' || name as object from sqlite_master
    where sql is not null and name not like 'sqlite\\_%' escape '\\'
      and tbl_name not in (select name from pragma_table_list where type = 'shadow')`,
  postgres: sql`
    select case when relkind in ('i', 'I') then 'index ' when relkind in ('v', 'm') then 'view '
      else 'table ' end || relname as object
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'i', 'I')
    union all
    select 'trigger ' || tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and not tgisinternal`,
}

/** All tables, indexes, triggers and views, each as its kind and its name: `table memories`. */
export async function listObjects({
  db,
  engine,
}: Pick<Database, 'db' | 'engine'>): Promise<string[]> {
  const { rows } = await objects[engine].execute(db)
  return rows.map(({ object }) => object)
}

/** A ledger may say more than the schema holds, and every later step would build on that. */
export async function assertObjectsExist(
  database: Pick<Database, 'db' | 'engine'>,
  applied: readonly Changes[],
): Promise<void> {
  const present = await listObjects(database)
  for (const { id, created } of applied) {
    const missing = created.find((name) => !present.includes(name) && isExpected(name, applied))
    if (missing)
      throw new Error(`The migration ${id} is recorded as applied, but its ${missing} is missing.`)
  }
}

/** Counted, because steps are not always applied in the order of their ids. */
function isExpected(name: string, applied: readonly Changes[]): boolean {
  const created = applied.filter(({ created }) => created.includes(name)).length
  return created > applied.filter(({ dropped }) => dropped.includes(name)).length
}
