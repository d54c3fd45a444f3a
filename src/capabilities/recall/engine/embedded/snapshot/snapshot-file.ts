import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFileBy } from '../../../../../kernel/files/replace-file.ts'
import type { SearchIndex } from '../index/search-index.ts'
import type { Pieces } from '../pieces/pieces.ts'
import { numberOfRules } from '../text/reading-rules.ts'
import { fromSections, toSections } from './index-sections.ts'
import { readSections, toPieces } from './sections.ts'

/** Tells a database file from what may later be put in its place, and what is read from its texts. */
export function sourceOf(databaseFile: string, pieces: Pick<Pieces, 'read'>): string {
  const { ino, birthtimeMs } = statSync(databaseFile)
  return `${ino} ${birthtimeMs} ${numberOfRules(pieces)}`
}

/** Undefined where there is none, or none that is whole and of this source. */
export function readSnapshot(file: string, source: string): SearchIndex | undefined {
  const sections = readSections(readIfThere(file))
  return sections && fromSections(sections, source)
}

/** What a process that was killed had begun to write. */
export function removeUnfinished(file: string): void {
  const folder = dirname(file)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name.startsWith('.next-')) rmSync(join(folder, name), { recursive: true, force: true })
}

/** What is written is the index as it is now, whatever happens to it meanwhile. */
export async function writeSnapshot(
  file: string,
  index: SearchIndex,
  source: string,
): Promise<void> {
  const pieces = toPieces(toSections(index, source))
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFileBy(file, (handle) => handle.writeFile(pieces))
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
