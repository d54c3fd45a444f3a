import { constants } from 'node:fs'
import { access, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import type { Method } from '../schemas.ts'
import { UpdateFailure } from './failure.ts'

/** How and where this program is installed. */
export interface Installation {
  readonly method: Method
  /** The folder of the package, in which `versions/` stands. */
  readonly root: string
  /** The name in its `package.json`. */
  readonly name: string
  /** The launcher; an update changes what it runs, never the file itself. */
  readonly launcher: string
}

/** Folders of the global installations of package managers. */
const owners: readonly (readonly [Method, RegExp])[] = [
  ['pnpm', /[\\/]\.?pnpm[\\/]/],
  ['bun', /[\\/]\.bun[\\/]/],
  ['yarn', /[\\/]\.?yarn[\\/]/i],
  ['npm', /[\\/]node_modules[\\/]/],
]

/** Refuses `unsupported_installation`. */
export async function findInstallation(script: string): Promise<Installation> {
  if (isSea()) return toNative()
  const root = dirname(dirname(await realpath(script)))
  const name = await readName(root)
  const launcher = join(root, 'bin', 'reverie')
  const method = (await exists(join(root, '.git'))) ? 'git' : findOwner(root)
  if (name === undefined || method === 'unknown' || !(await exists(launcher)))
    throw new UpdateFailure(
      'unsupported_installation',
      `${root} was installed by no package manager that is known. Install the new version by hand.`,
    )
  return { method, root, name, launcher }
}

function toNative(): Installation {
  const root = dirname(process.execPath)
  return { method: 'native', root, name: basename(process.execPath), launcher: process.execPath }
}

function findOwner(root: string): Method {
  return owners.find(([, pattern]) => pattern.test(root))?.[0] ?? 'unknown'
}

async function readName(root: string): Promise<string | undefined> {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}')
  const { name } = JSON.parse(text) as { readonly name?: unknown }
  return typeof name === 'string' ? name : undefined
}

/** The command that a person with the rights runs instead. */
const manual: Readonly<Record<Method, (spec: string) => string>> = {
  npm: (spec) => `sudo npm install -g ${spec}`,
  pnpm: (spec) => `sudo pnpm add -g ${spec}`,
  yarn: (spec) => `sudo yarn global add ${spec}`,
  bun: (spec) => `sudo bun add -g ${spec}`,
  git: () => 'git pull && npm ci',
  native: (spec) => `install ${spec} as the owner of the program`,
  unknown: (spec) => `install ${spec}`,
}

export async function assertWritable({ method, root }: Installation, spec: string): Promise<void> {
  try {
    await access(root, constants.W_OK)
  } catch {
    throw new UpdateFailure(
      'unsupported_installation',
      `${root} cannot be written by this user. Run: ${manual[method](spec)}`,
    )
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
