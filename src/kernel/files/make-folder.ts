import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../errors/has-code.ts'

/**
 * With the folders above it, which stay as they are where they exist. Unlike a recursive `mkdir` it comes
 * to an end where the system says of an existing folder that it is not there, as `/proc` does.
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
