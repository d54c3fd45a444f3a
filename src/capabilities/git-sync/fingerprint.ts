import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolder } from '../../kernel/files/folders.ts'
import { isWatched, watchedFolders } from './paths.ts'

const maxFiles = 20_000

/** Changes with the names, sizes and times of the watched files. */
export async function readFingerprint(folder: string): Promise<string> {
  const hash = createHash('sha1')
  let files = 0
  for await (const path of listWatched(folder)) {
    files += 1
    if (files > maxFiles) break
    const stats = await stat(join(folder, path)).catch(() => undefined)
    hash.update(`${path}\0${stats?.size}\0${stats?.mtimeMs}\0`)
  }
  return hash.digest('hex')
}

async function* listWatched(folder: string): AsyncGenerator<string> {
  for await (const entry of listFolder(folder))
    if (entry.isFile() && isWatched(entry.name)) yield entry.name
  for (const name of watchedFolders) yield* listBelow(folder, name)
}

async function* listBelow(folder: string, path: string): AsyncGenerator<string> {
  for await (const entry of listFolder(join(folder, path))) {
    const name = `${path}/${entry.name}`
    if (entry.isDirectory()) yield* listBelow(folder, name)
    else if (entry.isFile()) yield name
  }
}
