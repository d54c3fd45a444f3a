import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import {
  createTaskProcess,
  ProcessDied,
  type TaskProcess,
} from '../../kernel/threads/task-process.ts'
import { TooLate } from '../../kernel/threads/task-thread.ts'
import { type ChunkBounds, type ChunkedText, chunkText } from './chunks/chunk-text.ts'
import { type OutlineSection, outlineText } from './chunks/outline.ts'
import { convertFile, isPlain } from './convert.ts'
import { detectFormat } from './detect.ts'
import { type ImportedContent, readImportedFile } from './import-file.ts'
import type { ExtractionNeeds } from './needs.ts'
import type { converter } from './process/converter.ts'
import type { ExtractionFailure, ExtractionResult, FailureReason, FileInput } from './result.ts'

export interface Extractor {
  /** The text of a file. A hostile file ends as `failed`. Refuses `queue_full`. */
  extract(input: FileInput): Promise<ExtractionResult>
  /** A file for an import, with its other views. A hostile file ends as `failed`. */
  readImport(input: FileInput): Promise<ImportedContent | ExtractionFailure>
  /** A text without credentials and private spans. Long texts are cleaned in the converter process. */
  clean(text: string): Promise<CleanText>
  /** The chunks of a text. Long texts are divided in the converter process. */
  chunk(text: string, bounds: ChunkBounds): Promise<ChunkedText>
  /** The headings of a text with their statements. Long texts are read in the converter process. */
  outline(text: string): Promise<readonly OutlineSection[]>
}

/** A failed conversion process. */
interface Restart {
  readonly at: number
  readonly reason: FailureReason
}

const maxHeapMb = 384
const idleTimeoutMs = 30_000
const maxTasks = 200
const maxWaiting = 1_000
/** Shorter texts are read in the daemon: a message to a process costs more. */
const maxPlainBytes = 262_144
const maxChunkLength = 65_536
const baseTimeoutMs = 30_000
const timeoutPerMibMs = 2_000
const maxTimeoutMs = 120_000

export function createExtractor(needs: ExtractionNeeds) {
  const { host, log } = needs
  const restarts: Restart[] = []
  const child: TaskProcess<typeof converter> = createTaskProcess<typeof converter>({
    host,
    children: needs.children,
    purpose: 'extraction',
    from: import.meta.url,
    module: './process/converter',
    maxHeapMb,
    idleTimeoutMs,
    maxTasks,
    maxWaiting,
  })
  const record = (reason: FailureReason) => {
    log.warn({ reason }, 'converter process ended')
    restarts.push({ at: host.now().getTime(), reason })
    if (restarts.length > maxTasks) restarts.shift()
  }
  const orFailure = async <Result>(run: () => Promise<Result>) => {
    try {
      return await run()
    } catch (error) {
      const reason = toReason(error)
      record(reason)
      return { status: 'failed', reason, message: explain(reason) } as const
    }
  }
  const extractor: Extractor = {
    extract: (input) =>
      isShortText(input)
        ? convertFile(input)
        : orFailure(() => child.run('convert', input, timeoutOf(input.bytes.length))),
    readImport: (input) =>
      isShortText(input)
        ? readImportedFile(input)
        : orFailure(() => child.run('readImport', input, timeoutOf(input.bytes.length))),
    clean: async (text) =>
      text.length <= maxChunkLength
        ? toCleanText(text)
        : child.run('clean', text, timeoutOf(text.length)),
    chunk: async (text, bounds) =>
      text.length <= maxChunkLength
        ? chunkText(text, bounds)
        : child.run('chunk', { text, bounds }, timeoutOf(text.length)),
    outline: async (text) =>
      text.length <= maxChunkLength
        ? outlineText(text)
        : child.run('outline', text, timeoutOf(text.length)),
  }
  return { extractor, restarts: (): readonly Restart[] => restarts, stop: child.close }
}

function isShortText(input: FileInput): boolean {
  if (input.bytes.length > maxPlainBytes) return false
  try {
    return isPlain(detectFormat(input))
  } catch {
    // A refused type needs no process either.
    return true
  }
}

function timeoutOf(bytes: number): number {
  return Math.min(maxTimeoutMs, baseTimeoutMs + (bytes / 1_048_576) * timeoutPerMibMs)
}

function toReason(error: unknown): FailureReason {
  if (error instanceof TooLate) return 'extraction_timeout'
  if (error instanceof ProcessDied) return 'extraction_crashed'
  throw error
}

function explain(reason: FailureReason): string {
  return reason === 'extraction_timeout'
    ? 'The conversion exceeded its deadline. Convert the file to text or PDF and add that.'
    : 'The conversion needed too much memory. Convert the file to text or PDF and add that.'
}
