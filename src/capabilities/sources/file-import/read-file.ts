import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import type { ImportedContent } from '../../extraction/index.ts'
import type { SourcesOptions } from '../needs.ts'
import { maxFileBytes, type WaitingFile } from './receive-files.ts'

/** Why one file is not imported, for the user. */
export class FileProblem extends Error {}

/** The text of a file with its views. @throws {FileProblem} */
export async function readContent(
  { extractor }: Pick<SourcesOptions, 'extractor'>,
  { path, fileName, contentType }: WaitingFile,
): Promise<ImportedContent> {
  const bytes = await readBytes(path)
  const read = await extractor.readImport({ bytes, fileName, contentType })
  if (read.status === 'failed') throw new FileProblem(`${read.reason}: ${read.message}`)
  return read
}

/** 0 for a file whose reading explains what it lacks. */
export async function findSize(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}

async function readBytes(path: string): Promise<Uint8Array> {
  let handle: FileHandle | undefined
  try {
    // A pipe would never open.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const state = await handle.stat()
    if (!state.isFile()) throw new FileProblem('The path is not a file.')
    if (state.size > maxFileBytes) throw new FileProblem('The file has more than 25 MiB.')
    if (state.size === 0) throw new FileProblem('empty: The file is empty.')
    const bytes = await handle.readFile()
    if (bytes.length > maxFileBytes) throw new FileProblem('The file has more than 25 MiB.')
    return Uint8Array.from(bytes)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENXIO'].some((code) => hasCode(error, code)))
      throw new FileProblem('The file does not exist.')
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM'))
      throw new FileProblem('The user of the service may not read the file.')
    throw error
  } finally {
    await handle?.close()
  }
}
