import { stat } from 'node:fs/promises'
import { hasCode } from '../../../kernel/errors/has-code.ts'

/** Identity (path and inode) and size of a file; undefined and 0 when it is missing. */
export async function statFile(
  path: string,
): Promise<{ readonly file: string | undefined; readonly size: number }> {
  try {
    const { ino, size } = await stat(path)
    return { file: `${path}#${ino}`, size }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { file: undefined, size: 0 }
    throw error
  }
}
