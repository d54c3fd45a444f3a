import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openIfExists } from './optional-files.ts'
import { syncFolder } from './replace-file.ts'

const chunkBytes = 65_536
const newline = 0x0a

/**
 * Appends lines and returns after fsync. Removes a partial last line that an interrupted write
 * left.
 * Callers must hold a lock on the file.
 */
export async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    const end = await findEnd(handle, size)
    if (end < size) await handle.truncate(end)
    await handle.appendFile(lines.map((line) => `${line}\n`).join(''))
    await handle.sync()
    if (size === 0) await syncFolder(dirname(file))
  } finally {
    await handle.close()
  }
}

/** Yields the complete lines of a file in chunks; nothing for a missing file. */
export async function* readLines(file: string): AsyncGenerator<readonly Buffer[]> {
  const handle = await openIfExists(file)
  if (!handle) return
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (;;) {
      const chunk = Buffer.alloc(chunkBytes)
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, null)
      if (bytesRead === 0) return
      const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
      const lines: Buffer[] = []
      let at = 0
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, at)) {
        lines.push(bytes.subarray(at, end))
        at = end + 1
      }
      rest = bytes.subarray(at)
      if (lines.length > 0) yield lines
    }
  } finally {
    await handle.close()
  }
}

/** Returns the offset after the last complete line. */
async function findEnd(handle: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(chunkBytes)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunkBytes)
    const { bytesRead } = await handle.read(chunk, 0, end - start, start)
    const last = chunk.subarray(0, bytesRead).lastIndexOf(newline)
    if (last !== -1) return start + last + 1
    end = start
  }
  return 0
}
