import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../src/kernel/db/database.ts'
import { type Migration, migrate } from '../../src/kernel/db/migrations.ts'
import { openSqlite } from '../../src/kernel/db/sqlite/open-sqlite.ts'

// Runs as a separate process: applies the given steps and is killed inside the last one.
const [file = '', ...ids] = process.argv.slice(2)
const last = ids.at(-1)
const database = await openSqlite({ file, synchronous: 'normal' })
const given = (await readMigrations()).filter(({ id }) => ids.includes(id))
const steps = given.map((step) => ({
  id: step.id,
  changesData: true,
  up: async (db: Db) => {
    await take(step, db)
    if (step.id === last) process.kill(process.pid, 'SIGKILL')
  },
}))
await migrate(database, steps, new Date(0))

async function take(step: Migration, db: Db): Promise<void> {
  if ('up' in step) return step.up(db)
  for (const text of step.sqlite) await sql.raw(text).execute(db)
}

/** Every step in the sources, whether the daemon applies it or not. */
async function readMigrations(): Promise<readonly Migration[]> {
  const files = globSync('{capabilities,kernel}/*/migrations.ts', { cwd: 'src' })
  const folders = files.map(dirname).filter((folder) => folder !== 'kernel/db')
  const modules: Record<string, readonly Migration[]>[] = await Promise.all(
    folders.map((folder) => import(`../../src/${folder}/migrations.ts`)),
  )
  return modules.flatMap((module) => Object.values(module).flat())
}
