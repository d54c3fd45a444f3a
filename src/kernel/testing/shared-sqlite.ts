import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { inject, onTestFinished } from 'vitest'
import type { Db } from '../db/database.ts'
import type { Migration } from '../db/migrations.ts'
import { createHandle, openSqlite, startSqliteThreads } from '../db/sqlite/open-sqlite.ts'
import { createTables, isSame } from './create-tables.ts'

interface Template {
  readonly migrations: readonly Migration[]
  /** The migrated file, in memory. */
  readonly content: Sqlite.Database
}

interface Shared {
  readonly folder: string
  readonly file: string
  readonly threads: Awaited<ReturnType<typeof startSqliteThreads>>
}

/** A thread starts slowly, so the tests of one process share the threads of one file. */
const state: { shared?: Promise<Shared> } = {}
const templates: Template[] = []

/** Returns a migrated file without rows of other tests. The handle closes after the test. */
export async function takeSharedSqlite(
  migrations: readonly Migration[],
): Promise<{ readonly db: Db; readonly file: string }> {
  state.shared ??= start()
  const { folder, file, threads } = await state.shared
  const template =
    templates.find((known) => isSame(known.migrations, migrations)) ??
    (await createTemplate(folder, migrations))
  // The copy replaces all pages, and SQLite prepares the cached statements again.
  await template.content.backup(file)
  const db = await createHandle(threads, threads.requests)
  onTestFinished(() => db.destroy())
  return { db, file }
}

async function start(): Promise<Shared> {
  const folder = await mkdtemp(join(inject('sharedFolder'), 'sqlite-'))
  const file = join(folder, 'shared.db')
  return { folder, file, threads: await startSqliteThreads({ file, synchronous: 'normal' }) }
}

async function createTemplate(folder: string, migrations: readonly Migration[]): Promise<Template> {
  const file = join(folder, `template-${templates.length}.db`)
  const database = await openSqlite({ file, synchronous: 'normal' })
  await createTables(database, migrations)
  await database.close()
  const bytes = await readFile(file)
  // A database in memory has no write-ahead log: these bytes select the rollback journal.
  bytes.fill(1, 18, 20)
  const template = { migrations, content: new Sqlite(bytes) }
  templates.push(template)
  return template
}
