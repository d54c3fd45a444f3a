import { lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import picomatch from 'picomatch'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import type { FolderSettings } from '../connector.ts'

export interface ListedFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

type Selection = Pick<FolderSettings, 'rootPath' | 'patterns' | 'ignorePatterns'>

/**
 * Yields the files of a folder that match. Links are not followed. Paths that cannot be read are
 * added to `unreadable`; an unreadable root throws.
 */
export async function* listFiles(
  settings: Selection,
  unreadable: string[],
): AsyncGenerator<ListedFile> {
  const { rootPath } = settings
  const { isSelected, isIgnored } = createFilter(settings)
  const folders = [rootPath]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readFolder(folder, rootPath, unreadable)
    const open = entries.filter(({ path }) => !isIgnored(path))
    folders.push(...open.filter(({ isFolder }) => isFolder).map(({ path }) => path))
    const paths = open.filter(({ isFile, path }) => isFile && isSelected(path))
    for (const { path } of paths) yield* await readState(path)
  }
}

function createFilter({ rootPath, patterns, ignorePatterns }: Selection) {
  const isMatch = picomatch([...patterns], { dot: true })
  // A name is ignored at any depth.
  const ignored = ignorePatterns.flatMap((pattern) => [pattern, `**/${pattern}`])
  const isIgnoredPath = ignored.length > 0 ? picomatch(ignored, { dot: true }) : () => false
  const toInside = (path: string) => relative(rootPath, path).split(sep).join('/')
  return {
    isSelected: (path: string) => isMatch(toInside(path)),
    isIgnored: (path: string) => isIgnoredPath(toInside(path)),
  }
}

interface Entry {
  readonly path: string
  readonly isFolder: boolean
  readonly isFile: boolean
}

async function readFolder(
  folder: string,
  root: string,
  unreadable: string[],
): Promise<readonly Entry[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries
      .map((entry) => ({
        path: join(folder, entry.name),
        isFolder: entry.isDirectory(),
        isFile: entry.isFile(),
      }))
      .toSorted((left, right) => (left.path < right.path ? -1 : 1))
  } catch (error) {
    if (folder === root || !isUnreadable(error)) throw error
    unreadable.push(folder)
    return []
  }
}

/** Returns undefined for a missing file. */
async function readState(path: string): Promise<readonly ListedFile[]> {
  try {
    const { size, mtimeMs } = await lstat(path)
    return [{ path, size, mtimeMs }]
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
    throw error
  }
}

export function isUnreadable(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].some((code) => hasCode(error, code))
}
