import { cleanHarness } from './harness.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { afterFirstLine, readStaged, Unreadable } from './staged-file.ts'
import { isTruncated, type SourceFormat } from './transcript.ts'

/** What a harness says was spoken: inline, or in a file under the staging folder. Inline counts first. */
export interface TranscriptInput {
  readonly harness: string
  readonly transcript?: string | undefined
  readonly transcriptPath?: string | undefined
}

export interface ReadTranscript {
  /** A turn a line; empty where nobody says anything. */
  readonly content: string
  readonly contentHash: string
  readonly format: SourceFormat
  readonly sourcePath: string | null
  readonly redactions: number
}

/** Characters of an inline transcript, of which the newest count. */
const longestInline = 4_194_304
const mostFileBytes = 400_000
/** A longer text in which nobody says anything is worth a warning. */
const suspicious = 500

/** Undefined where there is nothing, or nothing that may be read: never an error to the harness. */
export async function readInput(
  needs: Pick<TranscriptsRuntime, 'log' | 'config' | 'texts'>,
  { harness: written, transcript, transcriptPath }: TranscriptInput,
): Promise<ReadTranscript | undefined> {
  const harness = cleanHarness(written)
  const inline = transcript?.trim() ? transcript : undefined
  const raw = inline === undefined ? await readFile(needs, transcriptPath) : readInline(inline)
  if (!raw) return undefined
  const read = await needs.texts.read({ ...raw, harness })
  if (read.content === '' && raw.text.length > suspicious)
    needs.log.warn({ harness, characters: raw.text.length }, 'transcript without a turn')
  return { ...read, sourcePath: inline === undefined ? (transcriptPath ?? null) : null }
}

/** Who has left out older lines already says so in the first. */
function readInline(text: string) {
  const isLong = text.length > longestInline
  const newest = isLong ? afterFirstLine(text.slice(-longestInline)) : text
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
    return await readStaged(config().stagingFolder, path, mostFileBytes)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    log.warn({ reason: error.message }, 'transcript file not read')
    return undefined
  }
}
