import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../kernel/errors/has-code.ts'

/** What a running daemon says of itself in its workspace. */
export interface DaemonFile {
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly version: string
}

export function pathOfDaemonFile(workspace: string): string {
  return join(workspace, '.daemon', 'daemon.json')
}

/** Undefined where there is none, or none that can be read as one. */
export async function findDaemonFile(workspace: string): Promise<DaemonFile | undefined> {
  try {
    const written: unknown = JSON.parse(await readFile(pathOfDaemonFile(workspace), 'utf8'))
    return isDaemonFile(written) ? { ...written, url: toReachable(written.url) } : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined
    throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process lives all the same.
    return hasCode(error, 'EPERM')
  }
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT')
}

/** Older daemons wrote the wildcard address that they were bound to. */
function toReachable(url: string): string {
  return url.replace(/^http:\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, 'http://127.0.0.1')
}

function isDaemonFile(written: unknown): written is DaemonFile {
  const { pid, url } = Object(written) as Record<string, unknown>
  return (
    Number.isSafeInteger(pid) && Number(pid) > 0 && typeof url === 'string' && URL.canParse(url)
  )
}
