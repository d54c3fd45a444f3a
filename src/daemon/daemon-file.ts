import { fstat, stat } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../kernel/errors/system-error.ts'
import { replaceFile } from '../kernel/files/replace-file.ts'

/** Describes the running daemon in its workspace, so that clients find it. */
interface DaemonFile {
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly version: string
}

export async function writeDaemonFile(workspace: string, content: DaemonFile): Promise<void> {
  const file = pathOf(workspace)
  await mkdir(dirname(file), { recursive: true })
  await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`)
}

/** Removes the file unless a later daemon wrote it. */
export async function removeDaemonFile(workspace: string, pid: number): Promise<void> {
  const file = pathOf(workspace)
  const { pid: filePid } = JSON.parse(await readFile(file, 'utf8')) as DaemonFile
  if (filePid === pid) await rm(file)
}

function pathOf(workspace: string): string {
  return join(workspace, '.daemon', 'daemon.json')
}

/** A socket bound to one of these addresses accepts connections to every address of the machine. */
const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]'])

/** Returns the URL at which local programs reach a daemon bound to `host`. */
export function toOwnUrl(bound: string, host: string): string {
  const url = new URL(bound)
  if (wildcards.has(url.hostname)) url.hostname = '127.0.0.1'
  else if (isNetworkName(host)) url.hostname = host
  return url.origin
}

/** Returns the `Host` names of callers that connect to the bound address; none for a wildcard. */
export function toBoundNames(host: string): readonly string[] {
  const name = isIP(host) === 6 ? `[${host}]` : host
  const hostname = URL.parse(`http://${name}`)?.hostname ?? name
  return wildcards.has(hostname) ? [] : [hostname]
}

/** Returns the URL for programs on this machine, of a daemon that listens. */
export function toLocalUrl(host: string, port: number | null): string {
  const [name = '127.0.0.1'] = toBoundNames(host)
  return toOwnUrl(`http://${name}:${port ?? ''}`, host)
}

function isNetworkName(host: string): boolean {
  return isIP(host) === 0 && host !== 'localhost'
}

const startLog = join('.daemon', 'start.log')

/**
 * Returns whether this descriptor is the start log, which reports errors of a background start. The
 * file
 * has no rotation, so the running daemon must not write to it.
 */
export async function isStartLog(descriptor: number, workspace: string): Promise<boolean> {
  try {
    const file = await promisify(stat)(join(workspace, startLog))
    const stats = await promisify(fstat)(descriptor)
    return stats.dev === file.dev && stats.ino === file.ino
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
