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
const available = await readMigrations()
/** Later steps leave stored texts as they are, so the backup from before outlives them. */
const lastRewriting = available.filter((step) => step.changesData).reduce(maxId, '')
const steps = ids.map(findStep).map((step) => ({
  id: step.id,
  changesData: step.id <= lastRewriting,
  up: async (db: Db) => {
    await take(step, db)
    if (step.id === last) process.kill(process.pid, 'SIGKILL')
  },
}))
await migrate(database, steps, new Date(0))

/** @throws if no source has the step: the migration would end and the process would never be killed. */
function findStep(id: string): Migration {
  const step = available.find((step) => step.id === id)
  if (!step) throw new Error(`No file of migrations exports the step ${id}.`)
  return step
}

function maxId(max: string, { id }: Migration): string {
  return id > max ? id : max
}

async function take(step: Migration, db: Db): Promise<void> {
  if ('up' in step) return step.up(db)
  for (const text of step.sqlite) await sql.raw(text).execute(db)
}

/** Every step in the sources, whether the daemon applies it or not. */
async function readMigrations(): Promise<readonly Migration[]> {
  const files = globSync('{capabilities,kernel}/*/*migrations.ts', { cwd: 'src' })
  const modules: Record<string, Migration | readonly Migration[]>[] = await Promise.all(
    files
      .filter((file) => dirname(file) !== 'kernel/db')
      .map((file) => file.slice(0, -'migrations.ts'.length))
      .map((name) => import(`../../src/${name}migrations.ts`)),
  )
  return modules.flatMap((module) => Object.values(module).flat())
}
