import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { DatabaseBusy, toDatabaseError } from './database-error.ts'

export interface LockOwner {
  readonly pid: number
  /** ISO text. */
  readonly startedAt: string
  readonly host: string
  /** The address of the owner, once it serves. */
  readonly address?: string
}

/** Held until it is released or its process ends. Keep a reference. */
export interface WorkspaceLock {
  /** Updates the published owner. */
  describe(owner: LockOwner): Promise<void>
  release(): Promise<void>
}

/** Another process holds the workspace; `owner` is its published owner, if readable. */
export class WorkspaceLocked extends Error {
  override readonly name = 'WorkspaceLocked'
  readonly owner: LockOwner | undefined

  constructor(folder: string, owner: LockOwner | undefined) {
    const who = owner ? `process ${owner.pid} since ${owner.startedAt}` : 'another process'
    super(
      `The workspace ${folder} is in use by ${who}${owner?.address ? ` at ${owner.address}` : ''}.`,
    )
    this.owner = owner
  }
}

const brokenFile = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT'])

/** The file contains nothing but the lock and may be deleted. */
class LockFileBroken extends Error {
  override readonly name = 'LockFileBroken'

  constructor(file: string, cause: Error) {
    const remedy =
      'It holds no memories: stop every daemon of this workspace, delete it, then start.'
    super(`The lock file ${file} is damaged. ${remedy}`, { cause })
  }
}

/**
 * Locks the workspace by the operating system's lock on `.daemon/lock.db`, which ends with the process.
 * `.daemon/daemon.lock` only names the owner.
 */
export async function lockWorkspace(folder: string, owner: LockOwner): Promise<WorkspaceLock> {
  const daemon = join(folder, '.daemon')
  const note = join(daemon, 'daemon.lock')
  await mkdir(daemon, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(daemon, 'lock.db')) ?? (await refuse(folder, note))
  await writeNote(note, owner)

  return {
    describe: (owner) => writeNote(note, owner),
    release: async () => {
      // Delete it before the release, or it would be the next owner's file.
      await rm(note, { force: true })
      lock.close()
    },
  }
}

/**
 * Returns undefined if another process has the lock. Runs synchronously once before the daemon serves,
 * because a thread for this call would cost more.
 */
function takeLock(file: string): Sqlite.Database | undefined {
  const lock = new Sqlite(file, { timeout: 0 })
  try {
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (!(error instanceof Sqlite.SqliteError)) throw error
    const known = toDatabaseError(error.message, error.code)
    if (known instanceof DatabaseBusy) return undefined
    if (brokenFile.has(error.code)) throw new LockFileBroken(file, error)
    throw known
  }
}

async function refuse(folder: string, note: string): Promise<never> {
  throw new WorkspaceLocked(folder, await readNote(note))
}

async function writeNote(file: string, owner: LockOwner): Promise<void> {
  const next = `${file}.next`
  await writeFile(next, JSON.stringify(owner), { mode: 0o600 })
  await rename(next, file)
}

/** The owner may not be written yet. */
async function readNote(file: string): Promise<LockOwner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
