import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { stringify } from 'yaml'
import { createPglite } from '../../src/kernel/testing/pglite.ts'
import { launchDaemon } from './daemon-process.ts'
import { removeFolder } from './make-folder.ts'
import { saveTemplate, startTables, toCacheFile } from './migrated-database.ts'

/** A PostgreSQL with the tables of this build. */
export interface MigratedPglite {
  readonly db: PGlite
  /** Restores the rows of a new database. Returns false if its tables are others by now. */
  reset(): Promise<boolean>
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

type Serve = (db: PGlite) => Promise<Server>

const extensions = { vector }

/** Opens a copy of a database that a first start of this build created: its migrations take longer. */
export async function openMigratedPglite(serve: Serve): Promise<MigratedPglite> {
  const file = await toCacheFile('tar')
  const image = await readFile(file).catch(() => undefined)
  const db = image
    ? await PGlite.create({ extensions, loadDataDir: new Blob([image]) })
    : await createMigrated(serve, file)
  const objects = await readObjects(db)
  const seeds = await readSeeds(db)
  return {
    db,
    reset: async () => {
      await db.exec('discard all')
      if ((await readObjects(db)) !== objects) return false
      await restore(db, seeds)
      return true
    },
  }
}

/** Another process may create it at the same time. */
async function createMigrated(serve: Serve, file: string): Promise<PGlite> {
  const db = await createPglite({ extensions })
  const { url, stop } = await serve(db)
  const workspace = await mkdtemp(join(tmpdir(), 'reverie-'))
  await writeFile(join(workspace, 'agent.yaml'), stringify({ database: { url } }))
  const daemon = await launchDaemon({ workspace })
  daemon.signal('SIGTERM')
  await daemon.ended
  await stop()
  await removeFolder(workspace)
  await db.exec('discard all')
  for (const table of startTables) await db.exec(`delete from ${table}`)
  const content = await db.dumpDataDir('none')
  await saveTemplate(file, async (next) => writeFile(next, content.stream()))
  return db
}

/** Differs after a table, a column or an index is added or dropped, and not after rows are. */
async function readObjects(db: PGlite): Promise<string> {
  const { rows } = await db.query<{ objects: string }>(`
    select json_agg(array[oid::text, relname, relnatts::text] order by oid)::text as objects
    from pg_class where relnamespace = 'public'::regnamespace`)
  return rows[0]?.objects ?? ''
}

/** Tables that have storage: a truncated table has none until the next insert. */
async function listWrittenTables(db: PGlite): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`)
  return rows.map(({ name }) => name)
}

/** The rows of each table as JSON. */
async function readSeeds(db: PGlite): Promise<ReadonlyMap<string, string>> {
  const seeds = new Map<string, string>()
  for (const table of await listWrittenTables(db)) {
    const { rows } = await db.query<{ content: string | null }>(
      `select json_agg(t)::text as content from ${table} t`,
    )
    if (rows[0]?.content) seeds.set(table, rows[0].content)
  }
  return seeds
}

async function restore(db: PGlite, seeds: ReadonlyMap<string, string>): Promise<void> {
  const written = await listWrittenTables(db)
  if (written.length > 0) await db.exec(`truncate ${written.join(', ')} restart identity cascade`)
  for (const [table, content] of seeds)
    await db.query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
      [content],
    )
}
