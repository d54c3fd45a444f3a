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

/** The file of the cache that holds a database of this build. Its entry names the build. */
export async function toCacheFile(extension: 'db' | 'tar'): Promise<string> {
  const build = createHash('sha256')
    .update(await readFile('dist/main.js'))
    .digest('hex')
  return join(cache, `migrated-${build.slice(0, 12)}.${extension}`)
}

async function findTemplate(): Promise<string> {
  const file = await toCacheFile('db')
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
  await saveTemplate(file, (next) => copyFile(toDatabase(workspace), next))
  await removeFolder(workspace)
  return file
}

/** Writes a file of the cache as a whole, and deletes those of older builds. */
export async function saveTemplate(
  file: string,
  write: (next: string) => Promise<void>,
): Promise<void> {
  const next = `${file}.${process.pid}`
  await mkdir(cache, { recursive: true })
  await write(next)
  await deleteOlder(file)
  await rename(next, file)
}

/** Spares the current template, which another process may copy now. */
async function deleteOlder(current: string): Promise<void> {
  const names = await readdir(cache)
  const older = names.filter(
    (name) => toKind(name) === toKind(current) && name !== basename(current),
  )
  await Promise.all(older.map((name) => rm(join(cache, name), { force: true })))
}

function toKind(name: string): string | undefined {
  return /migrated-\w+\.(db|tar)$/.exec(name)?.[1]
}

/** Tables with rows of the start itself. */
export const startTables = ['agents', 'embedding_models', 'telemetry_events']

function clearRows(file: string): void {
  const db = new Sqlite(file)
  for (const table of startTables) db.exec(`delete from ${table}`)
  db.pragma('wal_checkpoint(truncate)')
  db.close()
}
