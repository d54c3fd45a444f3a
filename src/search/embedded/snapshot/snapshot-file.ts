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
import { analyzerFingerprint, type WordPieceTokens } from '../../tokens/word-pieces.ts'
import type { SearchIndex } from '../index/search-index.ts'
import { fromSections } from './index-sections.ts'
import { CorruptSnapshot, openSections, type Sections, writeSections } from './sections.ts'

/** Tells a database file from what may later be put in its place, and what is read from its texts. */
export function sourceOf(databaseFile: string, pieces: Pick<WordPieceTokens, 'tokenize'>): string {
  const { ino, birthtimeMs } = statSync(databaseFile)
  return `${ino} ${birthtimeMs} ${analyzerFingerprint(pieces)}`
}

/** Undefined where there is none, or none that is whole and of this source; fails where it cannot be read. */
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
    // The index is built anew: nothing is lost by that but time.
    if (error instanceof CorruptSnapshot) return undefined
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** For one that may hold what has gone for good. */
export function removeSnapshot(file: string): void {
  rmSync(file, { force: true })
}

/** What a process that was killed had begun to write. */
export function removeTemporaryFiles(file: string): void {
  const folder = dirname(file)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name.startsWith('.next-')) rmSync(join(folder, name), { recursive: true, force: true })
}

/** A piece at a time: others have their turn in between. Fails with the reason of the signal, with the last one left in place. */
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
