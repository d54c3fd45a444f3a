import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { launchDaemon } from './daemon-process.ts'
import { removeFolder } from './make-folder.ts'

const cache = resolve('node_modules/.cache')
const toDatabase = (workspace: string) => join(workspace, 'memory', 'memories.db')
const state: { template?: Promise<string> } = {}

/**
 * Gives a new workspace the database that a first start of this build creates: its migrations take
 * a quarter of a start. Tests of migrations start without it.
 */
export async function copyMigratedDatabase(workspace: string): Promise<void> {
  state.template ??= findTemplate()
  await mkdir(join(workspace, 'memory'), { mode: 0o700 })
  await copyFile(await state.template, toDatabase(workspace))
}

async function findTemplate(): Promise<string> {
  // The entry names the build.
  const build = createHash('sha256')
    .update(await readFile('dist/main.js'))
    .digest('hex')
  const file = join(cache, `migrated-${build.slice(0, 12)}.db`)
  const exists = await readFile(file).then(Boolean, () => false)
  return exists ? file : createTemplate(file)
}

/** Another process may create it at the same time. */
async function createTemplate(file: string): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), 'reverie-'))
  const daemon = await launchDaemon({ workspace })
  daemon.signal('SIGTERM')
  await daemon.ended
  clearRows(toDatabase(workspace))
  const next = `${file}.${process.pid}`
  await mkdir(cache, { recursive: true })
  await copyFile(toDatabase(workspace), next)
  await deleteOlder(file)
  await rename(next, file)
  await removeFolder(workspace)
  return file
}

/** Spares the current template, which another process may copy now. */
async function deleteOlder(current: string): Promise<void> {
  const names = await readdir(cache)
  const older = names.filter(
    (name) => /^migrated-\w+\.db$/.test(name) && name !== basename(current),
  )
  await Promise.all(older.map((name) => rm(join(cache, name), { force: true })))
}

/** Deletes the rows of the start itself. */
function clearRows(file: string): void {
  const db = new Sqlite(file)
  for (const table of ['agents', 'embedding_models', 'telemetry_events'])
    db.exec(`delete from ${table}`)
  db.pragma('wal_checkpoint(truncate)')
  db.close()
}
