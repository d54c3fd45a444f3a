import { execFile } from 'node:child_process'
import { access, constants, realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { generic } from './generic.ts'
import { createLauncher, type Harness, type Launcher, type Places } from './harness.ts'
import { opencode } from './opencode.ts'

export const harnesses: readonly Harness[] = [claudeCode, codex, gemini, opencode, cursor, generic]

const run = promisify(execFile)
const versionTimeoutMs = 3000

export async function isDetected({ folder }: Harness, places: Places): Promise<boolean> {
  return isAccessible(folder(places), constants.F_OK)
}

/** The version that the program prints; null if it is not on the PATH or prints none. */
export async function findVersion({ program }: Harness, path: string): Promise<string | null> {
  const file = program === undefined ? undefined : await findProgram(program, path)
  if (file === undefined) return null
  try {
    const options = { timeout: versionTimeoutMs, killSignal: 'SIGKILL', maxBuffer: 65_536 } as const
    const { stdout } = await run(file, ['--version'], options)
    return /\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? null
  } catch {
    // A program that prints no version has none to show.
    return null
  }
}

async function findProgram(program: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, program)
    if (await isAccessible(file, constants.X_OK)) return file
  }
  return undefined
}

async function isAccessible(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode)
    return true
  } catch {
    return false
  }
}

/** The launcher of this process, or the one of the package of the build. */
export async function findOwnLauncher(): Promise<Launcher> {
  const [, script = ''] = process.argv
  // npm adds a link to the launcher to the PATH.
  const folder = dirname(dirname(await realpath(script)))
  const path = basename(script) === 'reverie' ? script : join(folder, 'bin', 'reverie')
  const entry = join(folder, 'dist', 'hook.cjs')
  const node = (await isAccessible(entry, constants.R_OK)) && (await findDeliveredNode(folder))
  return createLauncher(path, node ? [node, entry] : undefined)
}

/** The Node that npm delivered with the package, as `bin/reverie` looks for it. */
async function findDeliveredNode(from: string): Promise<string | undefined> {
  const { platform, arch } = process
  const nodePath =
    platform === 'win32' ? `node-win-${arch}/bin/node.exe` : `node-${platform}-${arch}/bin/node`
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', nodePath)
    if (await isAccessible(file, constants.X_OK)) return file
    if (folder === dirname(folder)) return undefined
  }
}
