import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '../../../kernel/process/find-program.ts'
import { UpdateFailure } from './failure.ts'
import type { Installation } from './installation.ts'
import { type ProgramNeeds, runProgram } from './program.ts'

const installTimeoutMs = 900_000

/** pnpm and bun run the install script of a dependency, which fetches its program, only if listed. */
const nativePackages = ['better-sqlite3']
const project = {
  private: true,
  pnpm: { onlyBuiltDependencies: nativePackages },
  trustedDependencies: nativePackages,
}

type Owner = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** Each installs one file into an own folder, next to nothing else. */
const commands: Readonly<Record<Owner, (folder: string, file: string) => readonly string[]>> = {
  npm: (folder, file) => [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    file,
  ],
  pnpm: (folder, file) => ['--dir', folder, 'add', '--ignore-workspace', file],
  yarn: (folder, file) => ['--cwd', folder, 'add', '--non-interactive', `file:${file}`],
  bun: (folder, file) => ['add', '--cwd', folder, file],
}

export interface StageRequest {
  readonly version: string
  /** An empty folder below `versions/`. */
  readonly folder: string
  /** The downloaded package. */
  readonly file: string
  readonly name: string
  readonly signal: AbortSignal
}

/** Installs a package with the program that owns the installation; returns its launcher in the folder. */
export async function stagePackage(
  needs: ProgramNeeds,
  { method }: Pick<Installation, 'method'>,
  { version, folder, file, name, signal }: StageRequest,
): Promise<{ readonly program: string; readonly output: string }> {
  const owner = method as Owner
  const command = await findProgram(owner, needs.variables())
  if (command === undefined)
    throw new UpdateFailure('install_failed', `${owner} is not on the PATH of the daemon.`)
  await writeFile(join(folder, 'package.json'), JSON.stringify(project))
  const { succeeded, output, timedOut } = await runProgram(needs, {
    purpose: 'update install',
    command,
    args: commands[owner](folder, file),
    cwd: folder,
    timeoutMs: installTimeoutMs,
    signal,
  })
  if (!succeeded) {
    const why = timedOut ? 'took longer than 15 minutes' : 'failed'
    throw new UpdateFailure('install_failed', `${owner} ${why}.`, { output })
  }
  await assertIdentity(join(folder, 'node_modules', name), { name, version })
  return { program: join('node_modules', name, 'bin', 'reverie'), output }
}

/** The file may contain another package than the registry declares. */
async function assertIdentity(
  folder: string,
  expected: { readonly name: string; readonly version: string },
): Promise<void> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  const { name, version } = JSON.parse(text) as Record<string, unknown>
  if (name === expected.name && version === expected.version) return
  const message = `The file contains ${String(name)} ${String(version)}, not ${expected.name} ${expected.version}.`
  throw new UpdateFailure('verification_failed', message)
}
