import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'

export interface StagedText {
  readonly text: string
  /** Whether only the newest part was read. */
  readonly truncated: boolean
}

/** The file is none that may be read here; the message says why, without its contents. */
export class Unreadable extends Error {}

/** Bytes that are read at once. */
const chunkBytes = 65_536

/** The newest lines of a file that lies under the root, links resolved. Throws `Unreadable`. */
export async function readStaged(
  root: string,
  path: string,
  mostBytes: number,
): Promise<StagedText> {
  try {
    return await readWithin(root, path, mostBytes)
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new Unreadable(String(error.code))
    throw error
  }
}

async function readWithin(root: string, path: string, mostBytes: number): Promise<StagedText> {
  if (path.includes('\0')) throw new Unreadable('not a path')
  const real = await resolveWithin(root, path)
  // Before it is opened: opening alone has effects on a device.
  refuseOther(await lstat(real))
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    refuseOther(stats)
    // What was checked by its name must be what was opened.
    const { dev, ino } = await lstat(await resolveWithin(root, path))
    if (dev !== stats.dev || ino !== stats.ino) throw new Unreadable('changed meanwhile')
    return await readTail(handle, stats.size, mostBytes)
  } finally {
    await handle.close()
  }
}

async function resolveWithin(root: string, path: string): Promise<string> {
  const [realRoot, real] = await Promise.all([realpath(root), realpath(path)])
  if (!real.startsWith(`${realRoot}${sep}`)) throw new Unreadable('outside the staging folder')
  return real
}

/** A second name of a file may stand for one that lies elsewhere. */
function refuseOther(stats: Stats): void {
  if (!stats.isFile() || stats.nlink > 1) throw new Unreadable('not a regular file of its own')
}

async function readTail(handle: FileHandle, size: number, mostBytes: number): Promise<StagedText> {
  const truncated = size > mostBytes
  const start = truncated ? size - mostBytes : 0
  const bytes = Buffer.alloc(size - start)
  let length = 0
  while (length < bytes.length) {
    const wanted = Math.min(chunkBytes, bytes.length - length)
    const { bytesRead } = await handle.read(bytes, length, wanted, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  const text = bytes.toString('utf8', 0, length)
  return { text: truncated ? afterFirstLine(text) : text, truncated }
}

/** The first line has lost its beginning. */
export function afterFirstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1)
}
