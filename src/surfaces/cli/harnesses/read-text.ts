import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { isMissing } from '../daemon-file.ts'
import { CliError } from '../failure.ts'

/** Files that cannot be parsed are never written. */
export function throwMalformed(path: string, line: number | undefined, what: string): never {
  const where = line === undefined ? path : `${path}, line ${line}`
  throw new CliError('refused', 'malformed_file', `${where}: ${what}`, 'Fix the file first.')
}

export function throwForeignFile(path: string): never {
  const message = `${path} already exists and does not belong to Reverie`
  throw new CliError('conflict', 'not_ours', message, 'Move it away first.')
}

interface TextFile {
  /** Where it really is, when the path is a link. */
  readonly path: string
  /** Null where there is no file. */
  readonly text: string | null
  readonly mode: number
}

const maxBytes = 32 * 1_048_576

export async function readText(path: string): Promise<TextFile> {
  try {
    const real = await realpath(path)
    const stats = await stat(real)
    if (!stats.isFile()) throwMalformed(path, undefined, 'not a plain file')
    if (stats.size > maxBytes) throwMalformed(path, undefined, 'the file is too large')
    const text = new TextDecoder('utf8', { fatal: true, ignoreBOM: true }).decode(
      await readFile(real),
    )
    return { path: real, text, mode: stats.mode & 0o777 }
  } catch (error) {
    if (error instanceof TypeError) return throwMalformed(path, undefined, 'the file is not UTF-8')
    if (!isMissing(error)) throw error
    if (await isLink(path)) return throwMalformed(path, undefined, 'broken symbolic link')
    return { path, text: null, mode: 0o600 }
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
