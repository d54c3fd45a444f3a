import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../errors/refusal.ts'
import { hasCode } from '../errors/system-error.ts'
import type { Host } from '../host/host.ts'

export interface FileLock {
  /**
   * Throws when another process has removed the lock as stale: the caller must not replace the file
   * then.
   */
  confirm(): Promise<void>
}

export interface FileLocks {
  /** Runs the work under an exclusive lock across processes. Refuses `file_locked`. */
  withLock<Result>(file: string, work: (lock: FileLock) => Promise<Result>): Promise<Result>
}

const staleMs = 30_000
/** The owner file is written immediately. A lock without one is left by a crash. */
const ownerFileTimeoutMs = 2_000
const waitMs = 25
const maxWaitMs = 20_000

interface Owner {
  readonly pid: number
  readonly token: string
  readonly created_at: string
}

/**
 * The lock is the folder `<file>.lock` with its `owner.json`. Locks of dead processes and old ones
 * are removed.
 */
export function createFileLocks(host: Host): FileLocks {
  const queues = new Map<string, Promise<unknown>>()
  return {
    withLock: async (file, work) => {
      const before = queues.get(file)
      const turn = runAfter(before, () => withFolderLock(host, file, work))
      queues.set(file, turn)
      try {
        return await turn
      } finally {
        if (queues.get(file) === turn) queues.delete(file)
      }
    },
  }
}

async function runAfter<Result>(before: Promise<unknown> | undefined, run: () => Promise<Result>) {
  // The previous caller receives its own error.
  await Promise.allSettled([before])
  return run()
}

async function withFolderLock<Result>(
  host: Host,
  file: string,
  work: (lock: FileLock) => Promise<Result>,
): Promise<Result> {
  const folder = `${file}.lock`
  const token = await acquire(host, folder)
  const confirm = async () => {
    if ((await readOwner(folder))?.token !== token) throw locked()
  }
  try {
    return await work({ confirm })
  } finally {
    if ((await readOwner(folder))?.token === token) await rm(folder, { recursive: true })
  }
}

async function acquire(host: Host, folder: string): Promise<string> {
  const token = host.newId()
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += waitMs) {
    if (await makeFolder(folder)) {
      await writeOwner(folder, { pid: process.pid, token, created_at: host.now().toISOString() })
      return token
    }
    if (await isStale(host, folder)) await removeStale(host, folder)
    else await host.sleep(waitMs)
  }
  throw locked()
}

/**
 * Removes the lock when its owner file cannot be written, because other processes would wait until
 * it is stale.
 */
async function writeOwner(folder: string, owner: Owner): Promise<void> {
  try {
    await writeFile(join(folder, 'owner.json'), JSON.stringify(owner))
  } catch (error) {
    await rm(folder, { recursive: true })
    throw error
  }
}

/** Returns false when the folder exists. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function isStale(host: Host, folder: string): Promise<boolean> {
  const owner = await readOwner(folder)
  const since = owner ? Date.parse(owner.created_at) : await findTime(folder)
  if (since === undefined) return false
  if (host.now().getTime() - since > (owner ? staleMs : ownerFileTimeoutMs)) return true
  // This process queues its own callers, so a lock with its process id is from an earlier process.
  return owner !== undefined && (owner.pid === process.pid || !isAlive(owner.pid))
}

/** Only one of two concurrent removals succeeds; the other finds a new lock or none. */
async function removeStale(host: Host, folder: string): Promise<void> {
  const aside = `${folder}-${host.newId()}`
  try {
    await rename(folder, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  await rm(aside, { recursive: true })
}

/** Returns undefined without a valid owner file. */
async function readOwner(folder: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8')) as Owner
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined
    throw error
  }
}

async function findTime(folder: string): Promise<number | undefined> {
  try {
    return (await stat(folder)).mtimeMs
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Returns whether a process with this id runs, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

function locked(): Refusal {
  return new Refusal('unavailable', 'file_locked', 'Another process has the file.')
}
