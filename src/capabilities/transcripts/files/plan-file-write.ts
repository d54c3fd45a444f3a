import { readLines } from '../../../kernel/files/append-lines.ts'
import { dropInjectedLines } from '../injected-blocks.ts'
import { listNewLines, mergeLines } from '../merge.ts'
import {
  isTruncated,
  listLines,
  readLine,
  type SessionRef,
  type Transcript,
  toLine,
} from '../transcript.ts'
import { readSessionRecord, type TranscriptRecord, toRecord } from './transcript-file.ts'

export interface WritePlanTask {
  readonly file: string
  readonly transcript: Transcript
  /** `seq` of the record before the content; undefined when the file must be read. */
  readonly after: number | undefined
}

export interface WritePlan {
  /** `replace`: the session diverged from the file. */
  readonly mode: 'append' | 'replace'
  /** One record a line; empty when nothing has to be written. */
  readonly lines: string
  /** `seq` of the session's last record after the write. */
  readonly seq: number
}

/** Plans the records that make the file hold the whole session. */
export async function planFileWrite({
  file,
  transcript,
  after,
}: WritePlanTask): Promise<WritePlan> {
  const { content } = transcript
  // The content begins with the end of the previous line.
  if (after !== undefined) return toAppendPlan(transcript, content.split('\n').slice(1), after)
  const records = await readSession(file, transcript)
  const storedLines = records.map(({ role, content: text }) => toLine({ role, text }))
  const cleanLines = dropInjectedLines(storedLines)
  const lines = listLines(content)
  const newLines = listMissing(cleanLines, { lines, isCut: isTruncated(content) })
  const isClean =
    cleanLines.length === storedLines.length &&
    cleanLines.every((line, at) => line === storedLines[at])
  if (newLines && isClean) return toAppendPlan(transcript, newLines, records.at(-1)?.seq ?? 0)
  // A diverging session, or lines from a release with fewer injected-block rules.
  const allLines = newLines ? [...cleanLines, ...newLines] : lines
  return { ...toAppendPlan(transcript, allLines, 0), mode: 'replace' }
}

function toAppendPlan(transcript: Transcript, lines: readonly string[], last: number): WritePlan {
  const records = lines.map((line, index) =>
    JSON.stringify(toRecord(transcript, readLine(line), last + index + 1)),
  )
  return { mode: 'append', lines: records.join('\n'), seq: last + lines.length }
}

async function readSession(file: string, session: SessionRef): Promise<TranscriptRecord[]> {
  const records: TranscriptRecord[] = []
  for await (const lines of readLines(file))
    records.push(...lines.flatMap((line) => readSessionRecord(line, session) ?? []))
  return records
}

interface TranscriptLines {
  readonly lines: readonly string[]
  readonly isCut: boolean
}

/** Undefined when the stored lines differ from the transcript. */
function listMissing(
  storedLines: readonly string[],
  { lines, isCut }: TranscriptLines,
): readonly string[] | undefined {
  const { relation, lines: merged } = mergeLines(storedLines, lines)
  if (relation !== 'differs') return merged.slice(storedLines.length)
  // Lines that were dropped from the transcript remain in the file.
  return isCut ? listNewLines(storedLines, lines) : undefined
}
