import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../kernel/errors/system-error.ts'

/** A parent that is a link or a file would lead the write out of its place. */
export async function hasPlainParents(folder: string, path: string): Promise<boolean> {
  const parts = path.split('/').slice(0, -1)
  let parent = folder
  for (const part of parts) {
    parent = join(parent, part)
    try {
      if (!(await lstat(parent)).isDirectory()) return false
    } catch (error) {
      return hasCode(error, 'ENOENT')
    }
  }
  return true
}
