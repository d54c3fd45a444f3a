import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { readRawValue } from '../../kernel/config/raw-settings.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createGate } from '../../kernel/gate/gate.ts'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { gitSettings } from './config.ts'
import { createGitService } from './git-operations.ts'
import type { GitSyncNeeds } from './needs.ts'
import { createProtectedPaths } from './paths.ts'
import { writeIgnoreBlock } from './repository.ts'

const runFile = promisify(execFile)

export interface Lab {
  /** The home folder of the user, with settings of git. */
  readonly home: string
  /** A bare repository. */
  readonly remote: string
  /** Runs git as the user, without the guards of the service. */
  git(folder: string, ...args: string[]): Promise<string>
}

/** A home folder and an empty bare repository. */
export async function createLab(): Promise<Lab> {
  const lab = toLab(await temporaryFolder())
  await createRemote(lab)
  return lab
}

function toLab(folder: string): Lab {
  const [home, remote] = [join(folder, 'home'), join(folder, 'remote.git')]
  const env = { HOME: home, PATH: '/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1' }
  const git = async (cwd: string, ...args: string[]) => {
    const { stdout } = await runFile('git', args, { cwd, env })
    return stdout.trim()
  }
  return { home, remote, git }
}

async function createRemote({ home, remote, git }: Lab): Promise<void> {
  await mkdir(home)
  const user = '[user]\n\tname = Robin\n\temail = robin@localhost\n'
  await writeFile(join(home, '.gitconfig'), user)
  await git(home, 'init', '-q', '--bare', '-b', 'main', remote)
}

type Settings = Partial<(typeof gitSettings.schema)['_zod']['input']>

/** A workspace with its service. */
export async function createMachine(
  lab: Pick<Lab, 'home'>,
  settings: Settings = {},
  needs: Partial<GitSyncNeeds> = {},
) {
  const folder = await temporaryFolder()
  const service = createGitService({
    host: realHost,
    log: createLog('silent'),
    children: noChildLedger,
    gate: createGate(realHost),
    locks: createFileLocks(realHost),
    credentials: { resolve: async () => undefined },
    folder,
    logPaths: [join(folder, 'logs'), join(folder, 'memory', 'service.txt')],
    settings: {
      read: () => gitSettings.schema.parse({ autoCommit: true, ...settings }),
      onChange: () => {},
      examine: (_, text) => (text.includes('invalid') ? 'it is invalid' : undefined),
      readValue: readRawValue,
    },
    variables: () => ({ HOME: lab.home, PATH: '/usr/bin:/bin' }),
    askPass: '/bin/false',
    ...needs,
  })
  return {
    folder,
    service,
    write: async (path: string, text: string | Buffer) => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    },
    read: (path: string) => readFile(join(folder, path), 'utf8'),
  }
}

/** Two workspaces of one remote, with the same files. They are copies, because git starts slowly. */
export async function createPair(files: Readonly<Record<string, string>>, settings: Settings = {}) {
  const key = JSON.stringify(files)
  const template = templates.get(key) ?? createTemplate(files)
  templates.set(key, template)
  const source = await template
  const folder = await temporaryFolder()
  for (const name of ['home', 'remote.git'])
    await copyFolder(join(source, name), join(folder, name))
  const lab = toLab(folder)
  const [one, two] = [await createMachine(lab, settings), await createMachine(lab, settings)]
  for (const [name, machine] of Object.entries({ one, two })) {
    await copyFolder(join(source, name), machine.folder)
    const config = await machine.read('.git/config')
    await machine.write('.git/config', config.replace(toLab(source).remote, lab.remote))
    // The index knows the files of the template.
    await lab.git(machine.folder, 'update-index', '-q', '--refresh')
  }
  return { lab, one, two }
}

const templates = new Map<string, Promise<string>>()

async function createTemplate(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(inject('sharedFolder'), 'git-'))
  const lab = toLab(folder)
  await createRemote(lab)
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(one, path)), { recursive: true })
    await writeFile(join(one, path), text)
  }
  await writeIgnoreBlock(one, createProtectedPaths(['logs']))
  await lab.git(one, 'init', '-q', '-b', 'main', '--template=')
  await lab.git(one, 'remote', 'add', 'origin', lab.remote)
  await lab.git(one, 'add', '-A')
  await lab.git(one, 'commit', '-qm', 'first')
  await lab.git(one, 'push', '-q', 'origin', 'main')
  await lab.git(folder, 'clone', '-q', '--template=', lab.remote, two)
  await lab.git(one, 'fetch', '-q')
  return folder
}

function copyFolder(source: string, target: string): Promise<void> {
  return cp(source, target, { recursive: true, preserveTimestamps: true })
}
