import { sql } from 'kysely'
import type { Database, Db } from '../db/database.ts'
import type { Migration } from '../db/migrations.ts'
import { createTables, isSame } from './create-tables.ts'

/** A migrated schema. Only the current one is named `public`. */
interface Schema {
  readonly name: string
  readonly migrations: readonly Migration[]
  /** Identifies the tables, indexes, triggers and functions. */
  readonly objects: string
  /** The rows that migrations insert, by table, as JSON. */
  readonly seeds: ReadonlyMap<string, string>
}

const schemas: Schema[] = []
const state: { current?: Schema | undefined; created: number } = { created: 0 }

/** Makes `public` a migrated schema without rows of other tests. */
export async function takeSharedSchema(
  database: Database,
  migrations: readonly Migration[],
): Promise<void> {
  const { db } = database
  const known = schemas.find((schema) => isSame(schema.migrations, migrations))
  if (known && known !== state.current) await activate(db, known)
  if (known && (await readObjects(db)) === known.objects) return await reset(db, known)

  if (known) schemas.splice(schemas.indexOf(known), 1)
  if (known) state.current = undefined
  await emptySchema(db)
  await createTables(database, migrations)
  const name = `parked_${state.created++}`
  state.current = { name, migrations, objects: await readObjects(db), seeds: await readSeeds(db) }
  schemas.push(state.current)
}

/** Makes `public` an empty schema. */
export async function emptySchema(db: Db): Promise<void> {
  await clearPublic(db)
  await sql`create schema public`.execute(db)
}

async function activate(db: Db, schema: Schema): Promise<void> {
  await clearPublic(db)
  await sql`alter schema ${sql.ref(schema.name)} rename to public`.execute(db)
  state.current = schema
}

async function clearPublic(db: Db): Promise<void> {
  if (state.current)
    await sql`alter schema public rename to ${sql.ref(state.current.name)}`.execute(db)
  else await sql`drop schema public cascade`.execute(db)
  state.current = undefined
}

const isPublic = sql`relnamespace = 'public'::regnamespace`

/** A new index or column and a dropped table change it; a truncated table does not. */
async function readObjects(db: Db): Promise<string> {
  const { rows } = await sql<{ objects: string }>`
    select json_build_array(
      (select json_agg(array[oid::text, relname, relnatts::text] order by oid)
        from pg_class where ${isPublic}),
      (select json_agg(pg_trigger.oid order by pg_trigger.oid)
        from pg_trigger join pg_class on pg_class.oid = tgrelid where ${isPublic}),
      (select json_agg(oid order by oid) from pg_proc where pronamespace = 'public'::regnamespace)
    )::text as objects`.execute(db)
  return rows[0]?.objects ?? ''
}

async function readSeeds(db: Db): Promise<Map<string, string>> {
  const seeds = new Map<string, string>()
  for (const table of await listWrittenTables(db)) {
    const { rows } = await sql<{ content: string | null }>`
      select json_agg(t)::text as content from ${sql.table(table)} t`.execute(db)
    if (rows[0]?.content) seeds.set(table, rows[0].content)
  }
  return seeds
}

async function reset(db: Db, { seeds }: Schema): Promise<void> {
  const written = await listWrittenTables(db)
  if (written.length > 0) {
    const tables = sql.join(written.map((table) => sql.table(table)))
    await sql`truncate ${tables} restart identity cascade`.execute(db)
  }
  for (const [table, content] of seeds)
    await sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${content}::json)`.execute(
      db,
    )
}

/** Tables that have storage: a truncated table has none until the next insert. */
async function listWrittenTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where ${isPublic} and relkind = 'r' and pg_relation_size(oid) > 0 order by 1`.execute(db)
  return rows.map(({ name }) => name)
}
