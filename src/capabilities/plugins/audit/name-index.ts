import type { FileHandle } from 'node:fs/promises'
import { openIfExists } from '../../../kernel/files/optional-files.ts'

const blockBytes = 65_536
/** A longer line is damaged. */
const maxLineBytes = 1_048_576
const newline = 0x0a
/** The names by which events are filtered. */
const namePattern = /"(?:event|pluginId)"\s*:\s*"([^"]*)"/g

interface FileNames {
  /** The bytes of the file whose names are in the set. */
  readonly size: number
  readonly names: ReadonlySet<string>
}

/**
 * The names of events and plugins in each file. The index follows a file that is renamed, and reads
 * only the lines appended since the last query. It forgets all but the last files.
 */
export function createNameIndex(maxFiles: number) {
  const files = new Map<string, FileNames>()
  return {
    /** False if no line of the file can have all of the names. */
    mayHold: async (file: string, names: readonly string[]): Promise<boolean> => {
      if (names.length === 0) return true
      const known = await updateNames(files, file)
      for (const key of [...files.keys()].slice(0, -maxFiles)) files.delete(key)
      return names.every((name) => known.has(name))
    },
  }
}

async function updateNames(
  files: Map<string, FileNames>,
  file: string,
): Promise<ReadonlySet<string>> {
  const handle = await openIfExists(file)
  if (!handle) return new Set()
  try {
    const { birthtimeMs, ino, size } = await handle.stat()
    const key = `${ino}-${birthtimeMs}`
    const previous = files.get(key)
    const start = previous && previous.size <= size ? previous : { size: 0, names: [] }
    const names = new Set(start.names)
    const end = await addNames(handle, { names, from: start.size, size })
    files.delete(key)
    files.set(key, { size: end, names })
    return names
  } finally {
    await handle.close()
  }
}

/** Returns the end of the last whole line. The names of a line without an end are added too. */
async function addNames(
  handle: FileHandle,
  { names, from, size }: { names: Set<string>; from: number; size: number },
): Promise<number> {
  let end = from
  let rest: Buffer = Buffer.alloc(0)
  for (let at = from; at < size; at += blockBytes) {
    const block = Buffer.alloc(Math.min(blockBytes, size - at))
    await handle.read(block, 0, block.length, at)
    const bytes = Buffer.concat([rest, block])
    for (const [, name = ''] of bytes.toString('utf8').matchAll(namePattern)) names.add(name)
    const lineEnd = bytes.lastIndexOf(newline) + 1
    if (lineEnd > 0) end = at + block.length - (bytes.length - lineEnd)
    rest = bytes.subarray(Math.max(lineEnd, bytes.length - maxLineBytes))
  }
  return end
}
