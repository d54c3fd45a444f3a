import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Database } from './database.ts'

/** Beside the file, as `<file>.backup-<step>.db`. The one before goes when this one is sure. */
export async function keepBackup({ file, backup }: Database, step: string): Promise<void> {
  if (!file) return
  const folder = dirname(file)
  const prefix = `${basename(file)}.backup-`
  const name = `${prefix}${step}.db`
  await backup(join(folder, name))
  for (const other of await readdir(folder))
    if (other.startsWith(prefix) && other !== name) await rm(join(folder, other))
}

/** Removes backups that were made before this step or by it. Gives their names. */
export async function removeBackups(file: string, upTo: string): Promise<readonly string[]> {
  const folder = dirname(file)
  const prefix = `${basename(file)}.backup-`
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(prefix) && name.slice(prefix.length, -'.db'.length) <= upTo,
  )
  for (const name of names) await rm(join(folder, name), { force: true })
  return names
}
