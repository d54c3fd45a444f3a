import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { isMissing } from '../daemon-file.ts'
import type { Change } from './change.ts'

/** By path: what a file was before, and the SHA-256 of what was made of it. */
export type KeptFiles = Readonly<Record<string, Kept>>

interface Kept {
  /** Null where there was no file. */
  readonly before: string | null
  readonly after: string
}

export function pathOfKept(workspace: string, harness: string): string {
  return join(workspace, 'harnesses', `${harness}.before.json`)
}

export async function readKept(file: string): Promise<KeptFiles> {
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
export async function keep(
  file: string,
  changes: readonly Change[],
  hadOurs: (path: string) => boolean,
): Promise<void> {
  const kept = { ...(await readKept(file)) }
  for (const { path, before, after } of changes) {
    if (after === null) continue
    const first = hadOurs(path) && before !== null ? findBefore(kept, path, before) : before
    if (first === undefined) delete kept[path]
    else kept[path] = { before: first, after: hash(after) }
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify(kept))
}

export async function forgetKept(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** What stood in the place of this text; undefined where that is not known, or it has changed since. */
export function findBefore(kept: KeptFiles, path: string, text: string): string | null | undefined {
  const known = kept[path]
  return known?.after === hash(text) ? known.before : undefined
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
