import type { Dirent } from 'node:fs'
import { mkdir, opendir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../errors/system-error.ts'

/** Yields the entries of a folder; nothing for a missing folder. */
export async function* listFolder(folder: string): AsyncGenerator<Dirent> {
  try {
    for await (const entry of await opendir(folder)) yield entry
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

/**
 * Creates a folder and its missing parents. A recursive `mkdir` would not terminate where the
 * system reports ENOENT for an existing folder, such as `/proc`.
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return
    if (!hasCode(error, 'ENOENT') || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder), mode)
    await mkdir(folder, { mode })
  }
}
