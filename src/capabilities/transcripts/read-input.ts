import { cleanHarness } from './harness.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { afterFirstLine, readStaged, UnreadableFile } from './staged-file.ts'
import { isTruncated, type SourceFormat } from './transcript.ts'

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

/** Replaces a truncation mark in the first line by the flag. */
function readInline(text: string) {
  const isLong = text.length > maxInlineLength
  const newest = isLong ? afterFirstLine(text.slice(-maxInlineLength)) : text
  return isTruncated(newest)
    ? { text: afterFirstLine(newest), truncated: true }
    : { text: newest, truncated: isLong }
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
