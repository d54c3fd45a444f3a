import { type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { rebuildWordColumn } from './postgres-words.ts'
import { tables } from './rows.ts'

interface Range {
  /** Exclusive. */
  readonly after: number
  /** Inclusive. */
  readonly upTo: number
}

type Docsize = { memoriesFtsDocsize: { readonly id: number } }

/** The last position of a memory or of an index row. */
export async function findLastPosition(db: Db): Promise<number> {
  const position = await tables(db)
    .selectFrom('memories')
    .select(({ fn }) => fn.max<number | null>('position').as('last'))
    .executeTakeFirstOrThrow()
  if (engineOf(db) === 'postgres') return Number(position.last ?? 0)
  const row = await db
    .withTables<Docsize>()
    .selectFrom('memoriesFtsDocsize')
    .select(({ fn }) => fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow()
  return Math.max(Number(position.last ?? 0), Number(row.last ?? 0))
}

/** Counts memories without an index row and index rows without a memory. */
export async function countMismatches(db: Db, { after, upTo }: Range) {
  if (engineOf(db) === 'postgres')
    return { missing: await countUnworded(db, { after, upTo }), excess: 0 }
  const { missing } = await tables(db)
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number>().as('missing'))
    .where('position', '>', after)
    .where('position', '<=', upTo)
    .where(sql<SqlBool>`not exists (select 1 from memories_fts_docsize
      where memories_fts_docsize.id = memories.position)`)
    .executeTakeFirstOrThrow()
  const { excess } = await db
    .withTables<Docsize>()
    .selectFrom('memoriesFtsDocsize')
    .select(({ fn }) => fn.countAll<number>().as('excess'))
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where(
      sql<SqlBool>`not exists
        (select 1 from memories where memories.position = memories_fts_docsize.id)`,
    )
    .executeTakeFirstOrThrow()
  return { missing, excess }
}

async function countUnworded(db: Db, { after, upTo }: Range): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('position', '>', after)
    .where('position', '<=', upTo)
    .where('deletedAt', 'is', null)
    .where(sql<SqlBool>`words is null`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What differs from the definition of the text index; undefined if nothing does. */
export async function findDrift(db: Db): Promise<string | undefined> {
  return engineOf(db) === 'postgres' ? findServerDrift(db) : findFileDrift(db)
}

async function findFileDrift(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ sql: string }>`select sql from sqlite_schema
    where name = 'memories_fts'`.execute(db)
  const [table] = rows
  if (!table) return 'the text index is missing'
  return /tokenize\s*=\s*'unicode61'/.test(table.sql) ? undefined : 'it has another tokenizer'
}

async function findServerDrift(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ valid: boolean }>`select indisvalid as valid from pg_index
    where indexrelid = to_regclass('memories_words')`.execute(db)
  if (!rows[0]?.valid) return 'the index memories_words is missing or invalid'
  const columns = await sql<{ expression: string | null }>`
    select generation_expression as expression from information_schema.columns
    where table_schema = current_schema() and table_name = 'memories' and column_name = 'words'`.execute(
    db,
  )
  const isCurrent = columns.rows[0]?.expression?.includes('memory_words_of')
  return isCurrent ? undefined : 'the column words has another tokenizer'
}

/** Rebuilds the text index from the memories, and its definition when that has drifted. */
export async function rebuildTextIndex(db: Db, hasDrifted: boolean): Promise<void> {
  if (engineOf(db) === 'postgres') return rebuildOnServer(db, hasDrifted)
  if (hasDrifted)
    for (const statement of [
      'drop table if exists memories_terms',
      'drop table if exists memories_fts',
      `create virtual table memories_fts using fts5(content, content = 'memories_text',
         content_rowid = 'position', tokenize = 'unicode61')`,
      `insert into memories_fts (memories_fts, rank) values ('secure-delete', 1)`,
      `create virtual table memories_terms using fts5vocab('memories_fts', 'row')`,
    ])
      await sql.raw(statement).execute(db)
  await sql`insert into memories_fts (memories_fts) values ('rebuild')`.execute(db)
}

async function rebuildOnServer(db: Db, hasDrifted: boolean): Promise<void> {
  // A large table takes longer than a request may.
  await sql`set local statement_timeout = 0`.execute(db)
  if (hasDrifted) await rebuildWordColumn(db)
  else await sql`reindex index memories_words`.execute(db)
}
