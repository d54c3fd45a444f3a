import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../errors/system-error.ts'
import { listFolder } from './folders.ts'
import { tempFolderName } from './replace-file.ts'

interface TempFolderFilter {
  /** Folders modified later may still be in use. */
  readonly before: Date
  /** Maximum depth of the search. */
  readonly depth: number
}

/**
 * Removes temporary folders of killed processes. Does not follow links, and leaves out what it may
 * not read.
 */
export async function removeTempFolders(folder: string, filter: TempFolderFilter): Promise<void> {
  try {
    await removeWithin(folder, filter)
  } catch (error) {
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) throw error
  }
}

async function removeWithin(folder: string, { before, depth }: TempFolderFilter): Promise<void> {
  for await (const entry of listFolder(folder)) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    if (!tempFolderName.test(entry.name)) {
      if (depth > 0) await removeTempFolders(path, { before, depth: depth - 1 })
    } else if (await isLeftover(path, before)) await rm(path, { recursive: true, force: true })
  }
}

/** A folder that its writer removes meanwhile is no leftover. */
async function isLeftover(path: string, before: Date): Promise<boolean> {
  try {
    const names = await readdir(path)
    return names.every((name) => name === 'file') && (await stat(path)).mtime < before
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
