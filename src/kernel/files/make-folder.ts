import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../errors/has-code.ts'

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
