import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { isMissing } from '../daemon-file.ts'
import type { Change } from './changes.ts'

/** By path: what a file was before, and the SHA-256 of what was made of it. */
export type Backups = Readonly<Record<string, Backup>>

interface Backup {
  /** Null where there was no file. */
  readonly before: string | null
  readonly after: string
}

export function pathOfBackups(workspace: string, harness: string): string {
  return join(workspace, 'harnesses', `${harness}.before.json`)
}

export async function readBackups(file: string): Promise<Backups> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    // Without it a file is not put back whole, but ours is still taken out.
    if (error instanceof SyntaxError || isMissing(error)) return {}
    throw error
  }
}

/**
 * A file is kept as it was before anything of ours was in it. One that was changed by others since cannot
 * be put back whole, and is kept no longer.
 */
export async function saveBackups(
  file: string,
  changes: readonly Change[],
  hadOurs: (path: string) => boolean,
): Promise<void> {
  const backups = { ...(await readBackups(file)) }
  for (const { path, before, after } of changes) {
    if (after === null) continue
    const first = hadOurs(path) && before !== null ? findBefore(backups, path, before) : before
    if (first === undefined) delete backups[path]
    else backups[path] = { before: first, after: hash(after) }
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify(backups))
}

export async function removeBackups(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** What stood in the place of this text; undefined where that is not known, or it has changed since. */
export function findBefore(
  backups: Backups,
  path: string,
  text: string,
): string | null | undefined {
  const known = backups[path]
  return known?.after === hash(text) ? known.before : undefined
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
