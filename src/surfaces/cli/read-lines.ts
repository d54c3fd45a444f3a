export interface Line {
  /** From 1. */
  readonly number: number
  /** Absent for a line above the limit, which is discarded. */
  readonly text: string | undefined
  /** Including the line end. */
  readonly bytes: number
}

const newline = 0x0a

/** The lines of a stream; holds one line at a time. */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let number = 1
  let bytes = 0
  let parts: Buffer[] = []
  const append = (part: Buffer) => {
    bytes += part.length
    if (bytes <= maxBytes) parts.push(part)
    else parts = []
  }
  const toLine = (): Line => ({
    number,
    text: bytes <= maxBytes ? Buffer.concat(parts).toString('utf8').trim() : undefined,
    bytes,
  })
  for await (const chunk of stream) {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      append(chunk.subarray(from, end + 1))
      yield toLine()
      number += 1
      bytes = 0
      parts = []
      from = end + 1
    }
    append(chunk.subarray(from))
  }
  if (bytes > 0) yield toLine()
}
