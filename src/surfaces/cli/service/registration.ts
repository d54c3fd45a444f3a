import { execFile } from 'node:child_process'
import { readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import { makeFolder } from '../../../kernel/files/folders.ts'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { isMissing } from '../daemon-file.ts'
import { type Environment, readServiceVariables } from '../environment.ts'
import { CliError } from '../failure.ts'
import { findOwnLauncher } from '../harnesses/detect.ts'
import { launchd } from './launchd.ts'
import type { Line, ServiceFile, ServiceManager, ServicePlaces } from './service-manager.ts'
import { systemd } from './systemd.ts'
import { taskScheduler } from './task-scheduler.ts'

const run = promisify(execFile)
const lineTimeoutMs = 60_000

/** The service of a workspace on this machine. */
export interface Service {
  readonly manager: ServiceManager
  readonly files: readonly ServiceFile[]
}

/** Undefined on a platform without a supported service manager. */
export async function describeService({
  workspace,
  places,
}: Pick<Environment, 'workspace' | 'places'>): Promise<Service | undefined> {
  const { home, configHome } = places
  const manager = findManager({ home, configHome, workspace, uid: process.getuid?.() })
  if (!manager) return undefined
  const files = manager.files({
    words: await readServiceWords(),
    variables: { ...readServiceVariables(), SVC_PATH: workspace, SVC_SUPERVISED: '1' },
    workspace,
    startLog: join(workspace, '.daemon', 'start.log'),
  })
  return { manager, files }
}

/** The launcher follows updates; Node is named, because a service has another PATH than a shell. */
export async function readServiceWords(): Promise<readonly string[]> {
  const { words } = await findOwnLauncher()
  const [launcher = ''] = words.slice(-1)
  return [process.execPath, launcher, 'start', '--foreground']
}

/** Whether this user can have services now; a session without a service manager has none. */
export async function isAvailable({ manager }: Pick<Service, 'manager'>): Promise<boolean> {
  return (await tryLine(manager.probe)) !== undefined
}

/** Whether a service is installed, and of which workspace. */
export async function findInstallation({
  files: [first],
}: Pick<Service, 'files'>): Promise<'none' | 'ours' | 'other'> {
  const text = first && (await readInstalled(first.path))
  if (!first || text === undefined) return 'none'
  const line = first.text.split('\n').find((line) => line.includes('SVC_PATH')) ?? ''
  return text.includes(line) ? 'ours' : 'other'
}

export async function isRunning({ manager }: Service): Promise<boolean> {
  return manager.running.test((await tryLine(manager.query)) ?? '')
}

/** Writes the files and registers the service; nothing remains when that fails. */
export async function installService(service: Service): Promise<void> {
  const { manager, files } = service
  try {
    for (const { path, text } of files) {
      await makeFolder(dirname(path))
      await replaceFile(path, text)
    }
    for (const line of manager.register) await runLine(line)
  } catch (error) {
    await uninstallService(service)
    throw error
  }
}

export async function startService({ manager }: Pick<Service, 'manager'>): Promise<void> {
  await runLine(manager.start)
}

/** Removes everything that `installService` creates; returns the paths of the removed files. */
export async function uninstallService({ manager, files }: Service): Promise<readonly string[]> {
  const contents = await Promise.all(files.map(({ path }) => readInstalled(path)))
  const paths = files.map(({ path }) => path).filter((_, index) => contents[index] !== undefined)
  if (paths.length === 0) return []
  for (const line of manager.unregister) await tryLine(line)
  for (const path of paths) await rm(path, { force: true })
  for (const path of paths) await removeEmptyFolders(dirname(path))
  for (const line of manager.forget) await tryLine(line)
  return paths
}

export async function readInstalled(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** A folder with other files is not deleted, nor is any folder above it. */
async function removeEmptyFolders(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EACCES') || isMissing(error)) return
    throw error
  }
  await removeEmptyFolders(dirname(folder))
}

/** The output of a line; undefined when it fails. */
async function tryLine([program, ...args]: Line): Promise<string | undefined> {
  try {
    return (await run(program, args, { timeout: lineTimeoutMs })).stdout
  } catch {
    // The caller treats a manager that is missing, or refuses, as absent.
    return undefined
  }
}

async function runLine([program, ...args]: Line): Promise<void> {
  try {
    await run(program, args, { timeout: lineTimeoutMs })
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string }
    const [reason = message] = stderr.trim().split('\n')
    const failed = `${[program, ...args].join(' ')} failed: ${reason || message}`
    throw new CliError(
      'fault',
      'service_manager_failed',
      failed,
      'Show its state: reverie service status',
    )
  }
}

/** Undefined on a platform without a supported service manager. */
export function findManager(
  places: ServicePlaces,
  platform: NodeJS.Platform = process.platform,
): ServiceManager | undefined {
  if (platform === 'linux') return systemd(places)
  if (platform === 'darwin') return launchd(places)
  return platform === 'win32' ? taskScheduler(places) : undefined
}
