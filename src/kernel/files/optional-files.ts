import { type FileHandle, lstat, open, readFile, rename, stat } from 'node:fs/promises'
import { hasCode } from '../errors/system-error.ts'

/** Operations on files that may be missing. Any other problem is thrown. */

export async function readIfExists(file: string): Promise<string | undefined> {
  return unlessMissing(readFile(file, 'utf8'))
}

export async function openIfExists(file: string): Promise<FileHandle | undefined> {
  return unlessMissing(open(file, 'r'))
}

export async function renameIfExists(from: string, to: string): Promise<void> {
  await unlessMissing(rename(from, to))
}

/** Returns the bytes of a file; 0 for a missing one. */
export async function sizeOf(file: string): Promise<number> {
  return (await unlessMissing(stat(file)))?.size ?? 0
}

/** Returns whether the path names anything, without following a link. */
export async function exists(path: string): Promise<boolean> {
  try {
    return (await unlessMissing(lstat(path))) !== undefined
  } catch (error) {
    // A part of the path is a file.
    if (hasCode(error, 'ENOTDIR')) return false
    throw error
  }
}

/** Returns whether the path is a folder that this process can reach. */
export async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

/** Returns undefined if a file or folder is missing. */
export async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
