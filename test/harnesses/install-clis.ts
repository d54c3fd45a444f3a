import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clis } from './clis.ts'

const run = promisify(execFile)
const installTimeoutMs = 900_000

/**
 * Installs the programs from npm and returns the folder of their launchers. The folder is temporary,
 * or the one that `HARNESS_CLIS` names; a folder with the same versions is reused.
 */
export async function installClis(): Promise<string> {
  const folder = process.env['HARNESS_CLIS'] || join(tmpdir(), 'reverie-harness-clis')
  const dependencies = Object.fromEntries(clis.map((cli) => [cli.package, cli.version]))
  const wanted = JSON.stringify({ private: true, dependencies })
  const done = join(folder, 'installed.json')
  if ((await readFile(done, 'utf8').catch(() => '')) !== wanted) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), wanted)
    // A surrounding `npm run` names its own folder in the environment.
    const options = ['--no-audit', '--no-fund', '--no-package-lock', '--prefix', folder]
    await run('npm', ['install', ...options], { cwd: folder, timeout: installTimeoutMs })
    await writeFile(done, wanted)
  }
  return join(folder, 'node_modules', '.bin')
}
