import { CliError } from '../failure.ts'

/** What cannot be read is not written to. */
export function refuseMalformed(path: string, line: number | undefined, what: string): never {
  const where = line === undefined ? path : `${path}, line ${line}`
  throw new CliError('refused', 'malformed_file', `${where}: ${what}`, 'Mend the file first.')
}

export function refuseForeignFile(path: string): never {
  const message = `${path} is there already, and it is not Reverie's`
  throw new CliError('conflict', 'not_ours', message, 'Move it away first.')
}
