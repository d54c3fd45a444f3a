import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { hasCode } from '../errors/has-code.ts'

/** Yields the entries of a folder; nothing for a missing folder. */
export async function* listFolder(folder: string): AsyncGenerator<Dirent> {
  try {
    for await (const entry of await opendir(folder)) yield entry
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
