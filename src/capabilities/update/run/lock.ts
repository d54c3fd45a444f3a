import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import { isAlive } from '../../../kernel/files/file-lock.ts'
import { makeFolder } from '../../../kernel/files/folders.ts'
import type { Host } from '../../../kernel/host/host.ts'
import { pathOfVersions } from '../../../kernel/versions/pointer.ts'
import { UpdateFailure } from './failure.ts'

/** Longer than all limits of a run together: the process id of an older lock is another process. */
const maxAgeMs = 3_600_000

interface Owner {
  readonly pid: number
  readonly at: string
}

/** Runs the work while no other process updates this installation. */
export async function withVersionsLock<Result>(
  host: Host,
  root: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const file = join(pathOfVersions(root), '.lock')
  await makeFolder(pathOfVersions(root), 0o755)
  if (!(await create(host, file))) {
    if (!(await isStale(host, file))) throw inProgress()
    await rm(file, { force: true })
    if (!(await create(host, file))) throw inProgress()
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

/** Whether a living process updates this installation. */
export async function isLocked(host: Host, root: string): Promise<boolean> {
  const file = join(pathOfVersions(root), '.lock')
  return (await readOwner(file)) !== undefined && !(await isStale(host, file))
}

/** The file appears with its content. */
async function create(host: Host, file: string): Promise<boolean> {
  const owner: Owner = { pid: process.pid, at: host.now().toISOString() }
  const draft = `${file}-${host.newId()}`
  await writeFile(draft, JSON.stringify(owner), { mode: 0o644 })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function isStale(host: Host, file: string): Promise<boolean> {
  const owner = await readOwner(file)
  if (!owner) return true
  const ageMs = host.now().getTime() - Date.parse(owner.at)
  return !(ageMs < maxAgeMs) || !isAlive(owner.pid)
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Owner
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function inProgress(): UpdateFailure {
  return new UpdateFailure('update_in_progress', 'Another update of this installation is running.')
}
