import { open, rename, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Maintenance } from '../database.ts'
import { DatabaseError } from '../database-error.ts'
import type { Result, ThreadOptions } from './messages.ts'
import { startThread, type Thread } from './thread.ts'
import type { Mutex, WorkerSlot } from './worker-slot.ts'

/** Free bytes on the disk of a folder; undefined if the file system does not report them. */
export type FreeBytes = (folder: string) => Promise<number | undefined>

interface BackupFiles {
  readonly file: string
  readonly toFile: string
}

/**
 * Copies the database through its own connection, so neither reads nor writes wait. Replaces `toFile`
 * only with a verified and synced copy.
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
  // Some file systems report zero blocks, which does not mean full.
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

export const busyTimeout = 'busy_timeout = 5000'

/** Pages per step: a few milliseconds, for which a write may wait. */
const pagesPerStep = 256
/** 64 MiB of 4 KiB pages per call. */
const maxSteps = 64

export async function maintain(writer: WorkerSlot, acquireWriter: Mutex): Promise<Maintenance> {
  const withWriter = async <Value>(work: (thread: Thread) => Promise<Value>): Promise<Value> => {
    const release = await acquireWriter()
    try {
      return await work(await writer.thread())
    } finally {
      release()
    }
  }
  let pagesFreed = 0
  for (let step = 0; step < maxSteps; step++) {
    const pageCount = await withWriter(freePages)
    if (pageCount === 0) break
    pagesFreed += pageCount
  }
  return { pagesFreed, walPages: await withWriter(checkpoint) }
}

async function freePages(thread: Thread): Promise<number> {
  const before = await readNumber(thread, 'freelist_count')
  if (before === 0) return 0
  await thread.run(`pragma incremental_vacuum(${pagesPerStep})`)
  return before - (await readNumber(thread, 'freelist_count'))
}

/**
 * Empties the log, which may hold deleted text. Without a timeout it waits for no reader, so the next
 * write does not wait either.
 */
async function checkpoint(thread: Thread): Promise<number> {
  await thread.run('pragma busy_timeout = 0')
  try {
    const { rows } = await thread.run('pragma wal_checkpoint(truncate)')
    const [[, log, checkpointed]] = rows as [[busy: number, log: number, checkpointed: number]]
    return log - checkpointed
  } finally {
    await thread.run(`pragma ${busyTimeout}`)
  }
}

async function readNumber(thread: Thread, pragma: string): Promise<number> {
  const { rows } = await thread.run(`pragma ${pragma}`)
  const [[value]] = rows as [[number]]
  return value
}
