import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import type { Harness, Places } from './harness.ts'

const run = promisify(execFile)
const versionTimeoutMs = 3000

export async function isDetected({ folder }: Harness, places: Places): Promise<boolean> {
  return isThere(folder(places), constants.F_OK)
}

/** What the program says of itself; null where it is not on the PATH, or says nothing of the kind. */
export async function findVersion({ program }: Harness, path: string): Promise<string | null> {
  const file = program === undefined ? undefined : await findProgram(program, path)
  if (file === undefined) return null
  try {
    const options = { timeout: versionTimeoutMs, killSignal: 'SIGKILL', maxBuffer: 65_536 } as const
    const { stdout } = await run(file, ['--version'], options)
    return /\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? null
  } catch {
    // A program that cannot say its version has none that could be told.
    return null
  }
}

async function findProgram(program: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, program)
    if (await isThere(file, constants.X_OK)) return file
  }
  return undefined
}

export async function isThere(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode)
    return true
  } catch {
    return false
  }
}
