import { constants, type FileHandle, open } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

/** In JSON it may become twice as much, and the daemon takes 4 MiB. */
const mostBytes = 2 * 1_048_576

/**
 * The newest whole lines of a transcript, after a line that says so when the older ones are left out.
 * Undefined for what is no plain file of this user: a link, a pipe, somebody else's.
 */
export async function readTranscript(path: string): Promise<string | undefined> {
  if (!isAbsolute(path) || path.includes('\0')) return undefined
  const handle = await openPlain(path)
  if (!handle) return undefined
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || (process.getuid && stat.uid !== process.getuid())) return undefined
    const start = Math.max(0, stat.size - mostBytes)
    const text = await readFrom(handle, start, Math.min(stat.size, mostBytes))
    return start === 0 ? text : `[truncated]\n${text.slice(text.indexOf('\n') + 1)}`
  } finally {
    await handle.close()
  }
}

async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    // A pipe that nobody writes to would hold up whoever opens it.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    // Whatever stands against it: a session ends without its transcript rather than not at all.
    return undefined
  }
}

async function readFrom(handle: FileHandle, start: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, start + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.toString('utf8', 0, read)
}
