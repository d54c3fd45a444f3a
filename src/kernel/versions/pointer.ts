import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../errors/system-error.ts'
import { replaceFile } from '../files/replace-file.ts'

const entry = z.object({
  version: z.string(),
  /** The launcher of the version, relative to its folder. */
  program: z.string().regex(/^(?!.*\.\.)[^/\\].*$/),
})

const pointer = z.object({
  ...entry.shape,
  /** Null selects the own build of the launcher. */
  version: z.string().nullable(),
  previous: entry.nullable(),
  state: z.enum(['trial', 'good']),
  /** Starts of the daemon during the trial. */
  starts: z.int().min(0),
  /** ISO time of the change. */
  at: z.string(),
  /** The version has migrated a database. */
  migrated: z.boolean().default(false),
  /** The version has accepted writes after a migration. */
  opened: z.boolean().default(false),
  /** The version that was given up. */
  rolledBack: z.string().nullable().default(null),
})

export type Pointer = z.output<typeof pointer>

export function pathOfVersions(root: string): string {
  return join(root, 'versions')
}

export function pathOfPointer(root: string): string {
  return join(pathOfVersions(root), 'active.json')
}

/** Undefined for a missing or invalid file. */
export async function findPointer(root: string): Promise<Pointer | undefined> {
  try {
    return pointer.safeParse(JSON.parse(await readFile(pathOfPointer(root), 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR'))
      return undefined
    throw error
  }
}

export async function writePointer(root: string, pointer: Pointer): Promise<void> {
  await replaceFile(pathOfPointer(root), `${JSON.stringify(pointer, null, 2)}\n`, 0o644)
}

/** Changes the pointer unless it selects another version by now. */
export async function changePointer(
  root: string,
  version: string,
  change: Partial<Pointer>,
): Promise<void> {
  const pointer = await findPointer(root)
  if (pointer?.version === version) await writePointer(root, { ...pointer, ...change })
}

/** Whether the previous version can still read the data, or a copy from before is complete. */
export function isReversible({ state, migrated, opened }: Pointer): boolean {
  return state === 'trial' && !(migrated && opened)
}

/** Selects the previous version; false where that is not possible. */
export async function rollBack(root: string, version: string, at: string): Promise<boolean> {
  const pointer = await findPointer(root)
  if (pointer?.version !== version || !isReversible(pointer)) return false
  await writePointer(root, toRolledBack(pointer, version, at))
  return true
}

function toRolledBack(pointer: Pointer, version: string, at: string): Pointer {
  const { previous, program } = pointer
  return {
    version: previous?.version ?? null,
    program: previous?.program ?? program,
    previous: null,
    state: 'good',
    starts: 0,
    at,
    migrated: pointer.migrated,
    opened: false,
    rolledBack: version,
  }
}
