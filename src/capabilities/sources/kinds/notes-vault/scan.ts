import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import picomatch from 'picomatch'
import { hasCode } from '../../../../kernel/errors/system-error.ts'

export interface VaultFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

export interface VaultListing {
  /** In order of their paths. */
  readonly files: readonly VaultFile[]
  /** Folders and files without permission. What is below them is unknown. */
  readonly unreadable: readonly string[]
}

const extensions = new Set(['.md', '.markdown'])
/** Files whose state is read at the same time. */
const concurrency = 32

export type Excludes = (path: string) => boolean

/** Whether a path in the vault is excluded: hidden files and folders always are. */
export function createExcludes(root: string, globs: readonly string[]): Excludes {
  const isMatch = globs.length > 0 ? picomatch([...globs], { dot: true }) : () => false
  return (path) => {
    const inside = relative(root, path).split(sep).join('/')
    return /(?:^|\/)\./.test(inside) || isMatch(inside) || isMatch(`${inside}/`)
  }
}

/** Lists the notes of a vault. Links are not followed. Throws if the root cannot be read. */
export async function listVault(
  root: string,
  isExcluded: Excludes,
  assertActive: () => void,
): Promise<VaultListing> {
  const unreadable: string[] = []
  const paths: string[] = []
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    assertActive()
    const entries = await readFolder(folder, { root, unreadable })
    const places = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    const open = places.filter(({ path }) => !isExcluded(path))
    folders.push(...open.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path))
    const notes = open.filter(({ entry, path }) => entry.isFile() && isNote(path))
    paths.push(...notes.map(({ path }) => path))
  }
  return { files: await readStates(paths.toSorted(), assertActive), unreadable }
}

async function readStates(
  paths: readonly string[],
  assertActive: () => void,
): Promise<readonly VaultFile[]> {
  const files: VaultFile[] = []
  for (let start = 0; start < paths.length; start += concurrency) {
    assertActive()
    const batch = paths.slice(start, start + concurrency)
    const states = await Promise.all(batch.map(readState))
    files.push(...states.filter((state) => state !== undefined))
  }
  return files
}

function isNote(path: string): boolean {
  return extensions.has(extname(path).toLowerCase())
}

async function readFolder(
  folder: string,
  { root, unreadable }: { readonly root: string; readonly unreadable: string[] },
): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (folder === root) throw error
    if (hasCode(error, 'ENOENT')) return []
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) throw error
    unreadable.push(folder)
    return []
  }
}

/** Returns undefined for a file that is gone. */
export async function readState(path: string): Promise<VaultFile | undefined> {
  try {
    const { size, mtimeMs, ino } = await stat(path)
    return { path, size, mtimeMs, inode: ino }
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

export function isGone(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')
}
