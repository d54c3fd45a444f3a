import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { cleanHarness, isTruncated, type SourceFormat } from './transcript.ts'

/** A transcript inline or in a file under the staging folder. Inline takes precedence. */
export interface TranscriptInput {
  readonly harness: string
  readonly transcript?: string | undefined
  readonly transcriptPath?: string | undefined
}

export interface ReadTranscript {
  /** One turn a line; may be empty. */
  readonly content: string
  readonly contentHash: string
  readonly format: SourceFormat
  readonly sourcePath: string | null
  readonly redactions: number
}

/** Characters of an inline transcript; older ones are dropped. */
const maxInlineLength = 4_194_304
/** Characters of one line of a longer transcript; its turn is cut further. */
const maxLineLength = 1_100_000
const maxFileBytes = 400_000
/** A longer text without turns is logged. */
const minSuspiciousLength = 500

/** Undefined for an empty or unreadable transcript; the harness never gets an error. */
export async function readInput(
  needs: Pick<TranscriptsRuntime, 'log' | 'config' | 'texts'>,
  { harness: harnessName, transcript, transcriptPath }: TranscriptInput,
): Promise<ReadTranscript | undefined> {
  const harness = cleanHarness(harnessName)
  const inline = transcript?.trim() ? transcript : undefined
  const raw = inline === undefined ? await readFile(needs, transcriptPath) : readInline(inline)
  if (!raw) return undefined
  const read = await needs.texts.read({ ...raw, harness })
  if (read.content === '' && raw.text.length > minSuspiciousLength)
    needs.log.warn({ harness, characters: raw.text.length }, 'transcript without a turn')
  return { ...read, sourcePath: inline === undefined ? (transcriptPath ?? null) : null }
}

/** As `readInput`, for inline texts of one harness. */
export async function readInlineTexts(
  { texts }: Pick<TranscriptsRuntime, 'texts'>,
  harnessName: string,
  transcripts: readonly string[],
): Promise<readonly ReadTranscript[]> {
  const harness = cleanHarness(harnessName)
  const read = await texts.readAll(transcripts.map((text) => ({ ...readInline(text), harness })))
  return read.map((one) => ({ ...one, sourcePath: null }))
}

/** Replaces a truncation mark in the first line by the flag. */
function readInline(text: string) {
  const isLong = text.length > maxInlineLength
  const newest = isLong ? takeNewest(text) : text
  return isTruncated(newest)
    ? { text: afterFirstLine(newest), truncated: true }
    : { text: newest, truncated: isLong }
}

/** The newest lines within the limit. No line displaces the others: JSON is dropped, text is cut. */
function takeNewest(text: string): string {
  const lines = text.split('\n').flatMap((line) => {
    if (line.length <= maxLineLength) return [line]
    return /^\s*[[{]/.test(line) ? [] : [sliceText(line, 0, maxLineLength)]
  })
  const bounded = lines.join('\n')
  return bounded.length > maxInlineLength
    ? afterFirstLine(bounded.slice(-maxInlineLength))
    : bounded
}

async function readFile(
  { log, config }: Pick<TranscriptsRuntime, 'log' | 'config'>,
  path: string | undefined,
) {
  if (path === undefined || path.trim() === '') return undefined
  try {
    return await readStaged(config().stagingFolder, path, maxFileBytes)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    log.warn({ reason: error.message }, 'transcript file not read')
    return undefined
  }
}

interface StagedText {
  readonly text: string
  /** Whether only the newest part was read. */
  readonly truncated: boolean
}

/** The file must not be read. The message contains the reason but no content. */
export class UnreadableFile extends Error {}

/** Bytes of one read. */
const chunkBytes = 65_536

/** Reads the newest lines of a file under the root, with links resolved. Throws `Unreadable`. */
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

/** The first line is incomplete. */
function afterFirstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1)
}
