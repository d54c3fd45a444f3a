import { constants, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isThere } from './detect.ts'
import { createLauncher, type Launcher } from './harness.ts'

/** This program, as it was called: by its launcher, or by the build beside it. */
export async function findOwnLauncher(): Promise<Launcher> {
  const [, script = ''] = process.argv
  // npm puts a link to the launcher into the PATH.
  const folder = dirname(dirname(await realpath(script)))
  const path = basename(script) === 'reverie' ? script : join(folder, 'bin', 'reverie')
  const entry = join(folder, 'dist', 'hook.cjs')
  const node = (await isThere(entry, constants.R_OK)) && (await findDeliveredNode(folder))
  return createLauncher(path, node ? [node, entry] : undefined)
}

/** The Node that npm delivered with the package, as `bin/reverie` looks for it. */
async function findDeliveredNode(from: string): Promise<string | undefined> {
  const { platform, arch } = process
  const delivered =
    platform === 'win32' ? `node-win-${arch}/bin/node.exe` : `node-${platform}-${arch}/bin/node`
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', delivered)
    if (await isThere(file, constants.X_OK)) return file
    if (folder === dirname(folder)) return undefined
  }
}
