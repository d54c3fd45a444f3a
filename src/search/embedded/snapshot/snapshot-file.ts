import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFileWith } from '../../../kernel/files/replace-file.ts'
import { analyzerFingerprint, type WordPieceTokens } from '../../tokens/token-similarity.ts'
import type { SearchIndex } from '../index/search-index.ts'
import { fromSections } from './index-sections.ts'
import { CorruptSnapshot, openSections, type Sections, writeSections } from './sections.ts'

/** Identifies a database file. */
export function identityOf(databaseFile: string): string {
  const { ino, birthtimeMs } = statSync(databaseFile)
  return `${ino} ${birthtimeMs}`
}

/** Identifies the database and the analyzer. */
export function sourceOf(
  databaseIdentity: string,
  wordPieces: Pick<WordPieceTokens, 'tokenize'>,
): string {
  return `${databaseIdentity} ${analyzerFingerprint(wordPieces)}`
}

/** Returns undefined if the file is missing, corrupt or of another source; throws if it cannot be read. */
export function readSnapshot(file: string, source: string): SearchIndex | undefined {
  if (!existsSync(file)) return undefined
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const read = (at: number, into: Uint8Array) => {
      readSync(descriptor, into, 0, into.length, at)
    }
    const sections = openSections({ size, read })
    return sections && fromSections(sections, source)
  } catch (error) {
    // The index is rebuilt from the database.
    if (error instanceof CorruptSnapshot) return undefined
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** For a snapshot that may contain erased data. */
export function removeSnapshot(file: string): void {
  rmSync(file, { force: true })
}

/** Removes temporary files of a killed process. */
export function removeTemporaryFiles(file: string): void {
  const folder = dirname(file)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name.startsWith('.next-')) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Writes chunk by chunk and yields in between. An aborted write leaves the previous file in place. */
export async function writeSnapshot(
  file: string,
  sections: Sections,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFileWith(file, (handle) =>
    writeSections(sections, (bytes) => {
      signal.throwIfAborted()
      return handle.writeFile(bytes)
    }),
  )
}
