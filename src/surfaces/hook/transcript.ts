import { constants, type FileHandle, open } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

/** JSON may double the size, and the daemon accepts 4 MiB. */
const maxBytes = 2 * 1_048_576
/** Read from the end of the file. */
const maxBytesRead = 32 * 1_048_576
const chunkBytes = 1_048_576

/**
 * Reads the newest lines with messages, after `[truncated]` if older ones are omitted. Undefined for
 * links, pipes and files of other users.
 */
export async function readTranscript(path: string, harness: string): Promise<string | undefined> {
  if (!isAbsolute(path) || path.includes('\0')) return undefined
  const handle = await openPlain(path)
  if (!handle) return undefined
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || (process.getuid && stat.uid !== process.getuid())) return undefined
    const { lines, isWhole } = await readNewest(handle, stat.size, toLineFilter(harness))
    return [...(isWhole ? [] : ['[truncated]']), ...lines].join('\n')
  } finally {
    await handle.close()
  }
}

/** Returns the newest lines in file order. */
async function readNewest(handle: FileHandle, size: number, isSent: (line: string) => boolean) {
  const newest: string[] = []
  let bytes = 0
  for await (const line of readBackward(handle, size)) {
    if (line === undefined) return { lines: newest.toReversed(), isWhole: false }
    if (!isSent(line)) continue
    bytes += Buffer.byteLength(line) + 1
    if (bytes > maxBytes + 1) return { lines: newest.toReversed(), isWhole: false }
    newest.push(line)
  }
  return { lines: newest.toReversed(), isWhole: true }
}

/** Yields complete lines, the last first, and undefined at the read limit. */
async function* readBackward(handle: FileHandle, size: number): AsyncGenerator<string | undefined> {
  let end = size
  let rest: Buffer = Buffer.alloc(0)
  while (end > 0 && size - end < maxBytesRead) {
    const start = Math.max(0, end - chunkBytes)
    const read = Buffer.concat([await readFrom(handle, start, end - start), rest])
    // The text before the first line break may be the end of a longer line.
    const from = start === 0 ? 0 : read.indexOf('\n') + 1
    end = start
    rest = from === 0 ? read : read.subarray(0, from - 1)
    if (start > 0 && from === 0) continue
    yield* read.toString('utf8', from).split('\n').toReversed()
  }
  if (end > 0) yield undefined
}

async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    // Opening a pipe without a writer would block.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    // An unreadable transcript must not prevent the end of the session.
    return undefined
  }
}

async function readFrom(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, start + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}

type Fields = Readonly<Record<string, unknown>>

/** How to recognize the lines of a session file that contain messages. */
interface SpokenLines {
  /** A cheap test. Lines that fail it are not parsed. */
  readonly hint: RegExp
  readonly isSpoken: (record: Fields) => boolean
}

const harnessMarks = ['isMeta', 'isSidechain', 'isCompactSummary']
const codexEvents = ['item_completed', 'user_message', 'agent_message']
const codexItems = ['message', 'function_call', 'custom_tool_call']

/** Other harnesses write only messages, or one document. */
const harnesses: Readonly<Record<string, SpokenLines>> = {
  // More than 90 % of the file are requests and settings.
  'claude-code': {
    hint: /"type"\s*:\s*"(?:user|assistant)"/,
    isSpoken: (record) =>
      ['user', 'assistant'].includes(String(record['type'])) &&
      !harnessMarks.some((mark) => record[mark] === true) &&
      !isToolResult(toFields(record['message'])['content']),
  },
  codex: {
    hint: /"type"\s*:\s*"(?:event_msg|response_item|item\.completed)"/,
    isSpoken: ({ type, payload }) => {
      const { type: kind, role } = toFields(payload)
      if (type === 'event_msg') return codexEvents.includes(String(kind))
      const isItem = type === 'response_item' && codexItems.includes(String(kind))
      return type === 'item.completed' || (isItem && role !== 'developer' && role !== 'system')
    },
  },
}

/** Matches lines that may contain a message. A line that is not a record matches. */
function toLineFilter(harness: string): (line: string) => boolean {
  const lines = Object.hasOwn(harnesses, harness) ? harnesses[harness] : undefined
  if (!lines) return () => true
  return (line) => {
    if (!line.startsWith('{')) return line.trim() !== ''
    if (!lines.hint.test(line)) return false
    try {
      return lines.isSpoken(toFields(JSON.parse(line)))
    } catch {
      // The line is still being written.
      return true
    }
  }
}

/** Tool output is not a message and may be megabytes. */
function isToolResult(content: unknown): boolean {
  if (!Array.isArray(content) || content.length === 0) return false
  return content.every((part) => toFields(part)['type'] === 'tool_result')
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
