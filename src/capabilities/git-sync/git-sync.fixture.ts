import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
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
  const folder = await temporaryFolder()
  const [home, remote] = [join(folder, 'home'), join(folder, 'remote.git')]
  await mkdir(home)
  const env = { HOME: home, PATH: '/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1' }
  const git = async (cwd: string, ...args: string[]) => {
    const { stdout } = await runFile('git', args, { cwd, env })
    return stdout.trim()
  }
  await git(folder, 'init', '-q', '--bare', '-b', 'main', remote)
  await git(folder, 'config', '--global', 'user.name', 'Robin')
  await git(folder, 'config', '--global', 'user.email', 'robin@localhost')
  return { home, remote, git }
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

/** Two workspaces of one remote, with the same files. */
export async function createPair(files: Readonly<Record<string, string>>, settings: Settings = {}) {
  const lab = await createLab()
  const [one, two] = [await createMachine(lab, settings), await createMachine(lab, settings)]
  for (const [path, text] of Object.entries(files)) await one.write(path, text)
  await writeIgnoreBlock(one.folder, createProtectedPaths(['logs']))
  await lab.git(one.folder, 'init', '-q', '-b', 'main', '--template=')
  await lab.git(one.folder, 'remote', 'add', 'origin', lab.remote)
  await lab.git(one.folder, 'add', '-A')
  await lab.git(one.folder, 'commit', '-qm', 'first')
  await lab.git(one.folder, 'push', '-q', 'origin', 'main')
  await lab.git(two.folder, 'clone', '-q', '--template=', lab.remote, '.')
  await lab.git(one.folder, 'fetch', '-q')
  return { lab, one, two }
}
