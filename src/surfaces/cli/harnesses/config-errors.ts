import { CliError } from '../failure.ts'

/** What cannot be read is not written to. */
export function throwMalformed(path: string, line: number | undefined, what: string): never {
  const where = line === undefined ? path : `${path}, line ${line}`
  throw new CliError('refused', 'malformed_file', `${where}: ${what}`, 'Fix the file first.')
}

export function throwForeignFile(path: string): never {
  const message = `${path} already exists and does not belong to Reverie`
  throw new CliError('conflict', 'not_ours', message, 'Move it away first.')
}
