import { openIfExists } from '../../../kernel/files/optional-files.ts'

const blockBytes = 65_536
/** A longer line is damaged. */
const maxLineBytes = 1_048_576
const newline = 0x0a

/**
 * Yields the lines of a file from its end, block by block; nothing for a missing file. Blocks
 * without one of the marks are skipped before their text is decoded.
 */
export async function* readBackwards(
  file: string,
  marks: readonly Buffer[] = [],
): AsyncGenerator<Iterable<string>> {
  const handle = await openIfExists(file)
  if (!handle) return
  try {
    let { size: at } = await handle.stat()
    let rest: Buffer = Buffer.alloc(0)
    while (at > 0) {
      const length = Math.min(blockBytes, at)
      at -= length
      const block = Buffer.allocUnsafe(length)
      await handle.read(block, 0, length, at)
      const bytes = Buffer.concat([block, rest])
      // The first line of a block may begin in the block before it.
      const start = at === 0 ? 0 : bytes.indexOf(newline) + 1
      const isPartial = at > 0 && start === 0
      rest = isPartial ? bytes.subarray(0, maxLineBytes) : bytes.subarray(0, start)
      if (!isPartial && marks.every((mark) => bytes.includes(mark, start)))
        yield linesOf(bytes.subarray(start))
    }
  } finally {
    await handle.close()
  }
}

/** From the last to the first; decodes no more lines than are read. */
function* linesOf(bytes: Buffer): Generator<string> {
  let end = bytes.length
  while (end > 0) {
    const start = bytes.lastIndexOf(newline, end - 1) + 1
    if (start < end) yield bytes.toString('utf8', start, end)
    end = start - 1
  }
}
