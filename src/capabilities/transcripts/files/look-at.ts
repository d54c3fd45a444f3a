import { stat } from 'node:fs/promises'
import { hasCode } from '../../../kernel/errors/has-code.ts'

/** Which file it is, which changes when another takes its place, and its bytes; none where there is none. */
export async function lookAt(
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
