import { readFile, writeFile } from 'node:fs/promises'
import { isMissing } from './daemon-file.ts'

/** How far an import has come: of which file, into which service. */
export interface Checkpoint {
  readonly url: string
  readonly size: number
  readonly mtimeMs: number
  /** The last line that is settled. */
  readonly line: number
  readonly imported: number
  readonly duplicates: number
  readonly rejected: number
}

export function pathOfCheckpoint(file: string): string {
  return `${file}.reverie-progress`
}

/** Undefined where there is none that can be read: the import then starts anew. */
export async function readCheckpoint(file: string): Promise<Checkpoint | undefined> {
  try {
    const written: unknown = JSON.parse(await readFile(pathOfCheckpoint(file), 'utf8'))
    return isCheckpoint(written) ? written : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined
    throw error
  }
}

/** Written in place: a new one beside it would be left there by a kill, and what is cut short counts as none. */
export async function writeCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  await writeFile(pathOfCheckpoint(file), JSON.stringify(checkpoint), { mode: 0o600 })
}

function isCheckpoint(written: unknown): written is Checkpoint {
  const found = Object(written) as Record<string, unknown>
  const numbers = ['size', 'mtimeMs', 'line', 'imported', 'duplicates', 'rejected']
  return typeof found['url'] === 'string' && numbers.every((name) => Number.isFinite(found[name]))
}
