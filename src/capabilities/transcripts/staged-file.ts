import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'

export interface StagedText {
  readonly text: string
  /** Whether only the newest part was read. */
  readonly truncated: boolean
}

/** The file must not be read. The message contains the reason but no content. */
export class UnreadableFile extends Error {}

/** Bytes that are read at once. */
const chunkBytes = 65_536

/** The newest lines of a file that lies under the root, links resolved. Throws `Unreadable`. */
export async function readStaged(
  root: string,
  path: string,
  maxBytes: number,
): Promise<StagedText> {
  try {
    return await readWithin(root, path, maxBytes)
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UnreadableFile(String(error.code))
    throw error
  }
}

async function readWithin(root: string, path: string, maxBytes: number): Promise<StagedText> {
  if (path.includes('\0')) throw new UnreadableFile('not a path')
  const real = await resolveWithin(root, path)
  // Opening a device has side effects, so the type is checked first.
  assertRegularFile(await lstat(real))
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    assertRegularFile(stats)
    // The path must still resolve to the opened file.
    const { dev, ino } = await lstat(await resolveWithin(root, path))
    if (dev !== stats.dev || ino !== stats.ino) throw new UnreadableFile('changed meanwhile')
    return await readTail(handle, stats.size, maxBytes)
  } finally {
    await handle.close()
  }
}

async function resolveWithin(root: string, path: string): Promise<string> {
  const [realRoot, real] = await Promise.all([realpath(root), realpath(path)])
  if (!real.startsWith(`${realRoot}${sep}`)) throw new UnreadableFile('outside the staging folder')
  return real
}

/** A hard link may refer to a file outside the root. */
function assertRegularFile(stats: Stats): void {
  if (!stats.isFile() || stats.nlink > 1) throw new UnreadableFile('not a regular file of its own')
}

async function readTail(handle: FileHandle, size: number, maxBytes: number): Promise<StagedText> {
  const truncated = size > maxBytes
  const start = truncated ? size - maxBytes : 0
  const bytes = Buffer.alloc(size - start)
  let length = 0
  while (length < bytes.length) {
    const chunkLength = Math.min(chunkBytes, bytes.length - length)
    const { bytesRead } = await handle.read(bytes, length, chunkLength, start + length)
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
