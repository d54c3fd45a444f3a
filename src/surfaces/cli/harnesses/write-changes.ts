import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { CliError } from '../failure.ts'
import { type Change, isChange } from './change.ts'
import { readText } from './read-text.ts'

/** Writes each file whole or not at all, and reads it back. */
export async function writeChanges(changes: readonly Change[]): Promise<void> {
  for (const change of changes.filter(isChange)) {
    const { path, before, after, mode } = change
    if ((await readText(path)).text !== before)
      throw new CliError(
        'conflict',
        'changed_meanwhile',
        `${path} changed during the operation`,
        'Try again.',
      )
    if (after === null) await rm(path)
    else {
      await mkdir(dirname(path), { recursive: true })
      await replaceFile(path, after, mode)
    }
    if ((await readText(path)).text !== after)
      throw new CliError('fault', 'not_written', `${path} differs from the written content`)
  }
}
