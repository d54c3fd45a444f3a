import { open, rename, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseError } from '../database-error.ts'
import type { Result, ThreadOptions } from './messages.ts'
import { startThread } from './thread.ts'

/** Bytes that may still be written to a folder's disk; undefined when it does not say. */
export type FreeBytes = (folder: string) => Promise<number | undefined>

export interface BackupFiles {
  readonly file: string
  readonly toFile: string
}

/**
 * Copies through a connection of its own, so neither writes nor reads wait for it. `toFile` is
 * replaced only by a copy that was found whole and is on the disk.
 */
export async function backup({ file, toFile }: BackupFiles, freeBytes: FreeBytes): Promise<void> {
  await assertFreeSpace(file, dirname(toFile), freeBytes)
  const partial = `${toFile}.partial`
  await rm(partial, { force: true })
  try {
    await queryOnce(file, 'vacuum into ?', [partial])
    await assertIntact(partial)
    await flush(partial)
    await rename(partial, toFile)
    await flush(dirname(toFile))
  } finally {
    await rm(partial, { force: true })
  }
}

export async function readFreeBytes(folder: string): Promise<number | undefined> {
  const { blocks, bavail, bsize } = await statfs(folder)
  // Some file systems know no sizes at all: that is not the same as being full.
  return blocks > 0 ? bavail * bsize : undefined
}

async function assertFreeSpace(file: string, folder: string, freeBytes: FreeBytes) {
  const size = 'select page_count * page_size as bytes from pragma_page_count, pragma_page_size'
  const [[bytes]] = (await queryOnce(file, size)).rows as [[number]]
  const free = await freeBytes(folder)
  if (free !== undefined && free < bytes)
    throw new DatabaseError(
      `A copy of the database needs ${bytes} bytes in ${folder}, where ${free} are free.`,
      'NO_SPACE',
    )
}

async function assertIntact(file: string): Promise<void> {
  const { rows } = await queryOnce(file, 'pragma integrity_check')
  const [[verdict]] = rows as [[string]]
  if (verdict !== 'ok')
    throw new DatabaseError(`The copy of the database is not whole: ${verdict}`, 'SQLITE_CORRUPT')
}

async function queryOnce(
  file: string,
  sql: string,
  parameters?: readonly string[],
): Promise<Result> {
  const options: ThreadOptions = { file, readonly: true, pragmas: ['busy_timeout = 5000'] }
  const thread = await startThread(options, 1)
  try {
    return await thread.run(sql, parameters)
  } finally {
    await thread.close()
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
