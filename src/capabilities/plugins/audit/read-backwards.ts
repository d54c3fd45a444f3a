import { type FileHandle, open } from 'node:fs/promises'
import { hasCode } from '../../../kernel/errors/system-error.ts'

const blockBytes = 65_536
/** A longer line is damaged. */
const maxLineBytes = 1_048_576
const newline = 0x0a

/** Yields the lines of a file from its end, one block at a time; nothing for a missing file. */
export async function* readBackwards(file: string): AsyncGenerator<readonly string[]> {
  const handle = await openIfExists(file)
  if (!handle) return
  try {
    let { size: at } = await handle.stat()
    let rest: Buffer = Buffer.alloc(0)
    while (at > 0) {
      const length = Math.min(blockBytes, at)
      at -= length
      const block = Buffer.alloc(length)
      await handle.read(block, 0, length, at)
      const bytes = Buffer.concat([block, rest])
      // The first line of a block may begin in the block before it.
      const start = at === 0 ? 0 : bytes.indexOf(newline) + 1
      const isPartial = at > 0 && start === 0
      rest = isPartial ? bytes.subarray(0, maxLineBytes) : bytes.subarray(0, start)
      if (!isPartial) yield bytes.toString('utf8', start).split('\n').toReversed()
    }
  } finally {
    await handle.close()
  }
}

async function openIfExists(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
