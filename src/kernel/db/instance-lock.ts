import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseBusy } from './database-error.ts'
import { startThread, type Thread } from './sqlite/thread.ts'

export interface LockOwner {
  readonly pid: number
  /** ISO text. */
  readonly startedAt: string
  readonly host: string
  /** Where it answers, once it does. */
  readonly address?: string
}

export interface WorkspaceLock {
  /** Kept when the lock was lost rather than released: whoever held it must stop. */
  readonly lost: Promise<void>
  /** Rewrites what others are told of the owner. */
  describe(owner: LockOwner): Promise<void>
  release(): Promise<void>
}

/** Another process has the workspace; `owner` is what it said of itself, if that can be read. */
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

/**
 * Only the operating system's lock on `.daemon/lock.db` counts, and it ends with its process;
 * `.daemon/daemon.lock` beside it merely names the owner. What cannot be locked is not opened.
 */
export async function lockWorkspace(folder: string, owner: LockOwner): Promise<WorkspaceLock> {
  const daemon = join(folder, '.daemon')
  const note = join(daemon, 'daemon.lock')
  await mkdir(daemon, { recursive: true, mode: 0o700 })
  const thread = await takeLock(join(daemon, 'lock.db'), () => refuse(folder, note))
  await writeNote(note, owner)

  let releasing = false
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  void thread.ended.then(() => {
    if (!releasing) lose()
  })
  return {
    lost,
    describe: (owner) => writeNote(note, owner),
    release: async () => {
      releasing = true
      // While the lock still holds, or the next owner's note would go.
      await rm(note, { force: true })
      await thread.close()
    },
  }
}

async function takeLock(file: string, refuse: () => Promise<never>): Promise<Thread> {
  const options = {
    file,
    readonly: false,
    pragmas: ['busy_timeout = 0', 'locking_mode = exclusive'],
  }
  const thread = await startThread(options, 1)
  try {
    await thread.run('begin exclusive')
    return thread
  } catch (error) {
    await thread.close()
    if (error instanceof DatabaseBusy) return refuse()
    throw error
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

/** The holder may not have written it yet: the refusal stands without it. */
async function readNote(file: string): Promise<LockOwner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
