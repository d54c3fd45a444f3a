/** One line of a file without its line feed. */
export interface RawLine extends LinePosition {
  /** Undefined for a line above the limit. */
  readonly bytes: Buffer | undefined
}

export interface LinePosition {
  /** Counts all lines from 1, blank ones included. */
  readonly lineNumber: number
  /** Counts the lines that are not blank, from 0. */
  readonly ordinal: number
  readonly byteOffset: number
  /** Without the line feed. */
  readonly byteLength: number
}

export interface Position {
  readonly byteOffset: number
  readonly lineNumber: number
  readonly ordinal: number
}

const lineFeed = 0x0a
/** Space, tab and carriage return. */
const blankBytes: readonly number[] = [0x20, 0x09, 0x0d]

/**
 * Splits bytes into lines, whatever the borders of the chunks. Memory is bounded by one line of the
 * maximum length.
 */
export class LineSplitter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  /** Bytes of the current line, dropped ones included. */
  #length = 0
  #isBlank = true
  #byteOffset: number
  #lineNumber: number
  #ordinal: number

  constructor(maxBytes: number, from: Position = { byteOffset: 0, lineNumber: 0, ordinal: 0 }) {
    this.#maxBytes = maxBytes
    this.#byteOffset = from.byteOffset
    this.#lineNumber = from.lineNumber
    this.#ordinal = from.ordinal
  }

  /** The position behind the last complete line. */
  get position(): Position {
    return {
      byteOffset: this.#byteOffset,
      lineNumber: this.#lineNumber,
      ordinal: this.#ordinal,
    }
  }

  /** The lines that end in this chunk and are not blank. */
  *push(chunk: Buffer): Generator<RawLine> {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#add(chunk.subarray(start, end))
      start = end + 1
      const line = this.#take(1)
      if (line) yield line
    }
    this.#add(chunk.subarray(start))
    // The caller may release the chunk.
    const rest = this.#parts.pop()
    if (rest) this.#parts.push(Buffer.from(rest))
  }

  /** The last line, if no line feed ends it. */
  *end(): Generator<RawLine> {
    const line = this.#length > 0 ? this.#take(0) : undefined
    if (line) yield line
  }

  #add(part: Buffer): void {
    if (part.length === 0) return
    this.#length += part.length
    this.#isBlank &&= part.every((byte) => blankBytes.includes(byte))
    if (this.#length <= this.#maxBytes) this.#parts.push(part)
    else this.#parts = []
  }

  #take(separator: 0 | 1): RawLine | undefined {
    const length = this.#length
    const fits = length <= this.#maxBytes
    const line = {
      lineNumber: this.#lineNumber + 1,
      ordinal: this.#ordinal,
      byteOffset: this.#byteOffset,
      byteLength: length,
      bytes: fits ? join(this.#parts, length) : undefined,
    }
    const isBlank = this.#isBlank
    this.#lineNumber++
    this.#byteOffset += length + separator
    if (!isBlank) this.#ordinal++
    this.#parts = []
    this.#length = 0
    this.#isBlank = true
    return isBlank ? undefined : line
  }
}

/** In memory of its own, which can be released. */
function join(parts: readonly Buffer[], length: number): Buffer {
  const joined = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const part of parts) at += part.copy(joined, at)
  return joined
}
