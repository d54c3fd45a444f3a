import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '../../client/client.ts'
import { ReverieError } from '../../client/public/reverie-error.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { isAlive } from '../../kernel/files/file-lock.ts'

/** Written by a running daemon into its workspace. */
export interface DaemonFile {
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly version: string
}

export function pathOfDaemonFile(workspace: string): string {
  return join(workspace, '.daemon', 'daemon.json')
}

/** Undefined for a missing or invalid file. */
export async function findDaemonFile(workspace: string): Promise<DaemonFile | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(pathOfDaemonFile(workspace), 'utf8'))
    return isDaemonFile(content) ? { ...content, url: toReachable(content.url) } : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined
    throw error
  }
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT')
}

/** Older daemons wrote the wildcard address of their listener. */
function toReachable(url: string): string {
  return url.replace(/^http:\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, 'http://127.0.0.1')
}

function isDaemonFile(value: unknown): value is DaemonFile {
  const { pid, url } = Object(value) as Record<string, unknown>
  return (
    Number.isSafeInteger(pid) && Number(pid) > 0 && typeof url === 'string' && URL.canParse(url)
  )
}

/** A running daemon answers these requests immediately; another service may not answer. */
export const answerTimeoutMs = 2000

export const restartCommand = 'reverie restart'

/** The daemon of a workspace, if it runs and its reply names its process. */
export async function findRunning(workspace: string): Promise<DaemonFile | undefined> {
  const file = await findDaemonFile(workspace)
  return file && isAlive(file.pid) && (await isReverieDaemon(file)) ? file : undefined
}

export async function isReverieDaemon({ pid, url }: DaemonFile): Promise<boolean> {
  try {
    return (
      (await createClient({ url }).call('GET /health/live', { timeoutMs: answerTimeoutMs })).pid ===
      pid
    )
  } catch (error) {
    // A service that needs a credential, or lacks the path, is another program.
    if (error instanceof ReverieError) return false
    throw error
  }
}
