import { copyFile, link, mkdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../kernel/errors/system-error.ts'
import type { Host } from '../../kernel/host/host.ts'
import { GitFailure } from './failure.ts'
import type { Git, GitOptions } from './git.ts'

/** Temporary indexes and files of one operation, on the file system of the repository. */
export interface Scratch {
  readonly folder: string
  readonly git: Git
  /** Options of a command that uses this index: `index` or another name. */
  withIndex(name: string, options?: GitOptions): GitOptions
  indexFile(name: string): string
}

const scratchName = 'reverie'
const nextIndexName = 'next'

export async function withScratch<Result>(
  git: Git,
  work: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  const folder = join(git.gitDir, scratchName)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  const indexFile = (name: string) => join(folder, `${name}.index`)
  try {
    return await work({
      folder,
      git,
      indexFile,
      withIndex: (name, options = {}) => ({
        ...options,
        env: { ...options.env, GIT_INDEX_FILE: indexFile(name) },
      }),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Copies the index of the user with the times of its files, so that unchanged ones are not read
 * again. The copy has the time of the index: git reads files again that are not older than it.
 */
export async function copyIndex({ git, indexFile }: Scratch, name: string): Promise<void> {
  const index = join(git.gitDir, 'index')
  try {
    const { mtimeMs } = await stat(index)
    await copyFile(index, indexFile(name))
    const seconds = Math.floor(mtimeMs) / 1_000
    await utimes(indexFile(name), seconds, seconds)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

/**
 * Makes an index the one of the user. The lock is a second name of the new file, so that a lock that
 * a killed daemon left is recognised.
 */
export async function replaceIndex(
  { git, indexFile }: Scratch,
  name: string,
  host: Pick<Host, 'now'>,
): Promise<void> {
  const lock = join(git.gitDir, 'index.lock')
  await rename(indexFile(name), indexFile(nextIndexName))
  try {
    await link(indexFile(nextIndexName), lock)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    throw await toLocked(lock, host)
  }
  await rename(lock, join(git.gitDir, 'index'))
}

/** Throws when another program has the lock of the index. Removes a lock of a killed daemon. */
export async function assertIndexUnlocked(git: Git, host: Pick<Host, 'now'>): Promise<void> {
  const lock = join(git.gitDir, 'index.lock')
  const own = join(git.gitDir, scratchName, `${nextIndexName}.index`)
  const [holder, left] = await Promise.all([findIdentity(lock), findIdentity(own)])
  if (holder === undefined) return
  if (holder !== left) throw await toLocked(lock, host)
  await unlink(lock)
}

async function findIdentity(file: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(file)
    return `${dev}:${ino}`
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function toLocked(lock: string, host: Pick<Host, 'now'>): Promise<GitFailure> {
  const age = await stat(lock).then(
    ({ mtimeMs }) => Math.max(0, Math.round((host.now().getTime() - mtimeMs) / 1_000)),
    () => 0,
  )
  return new GitFailure('index_locked', { details: [`for ${age} s`] })
}
