import { stat } from 'node:fs/promises'
import { readLines } from '../../../kernel/files/append-lines.ts'
import { listNews, mergeLines } from '../merge.ts'
import {
  isTruncated,
  listLines,
  readLine,
  type SessionRef,
  type Transcript,
  toLine,
} from '../transcript.ts'
import { readRecord, type TranscriptRecord, toRecord } from './record.ts'

export interface Planning {
  readonly file: string
  readonly transcript: Transcript
}

export interface Planned {
  /** `replace`: the session took another course than the file tells. */
  readonly mode: 'append' | 'replace'
  /** Records, a line each; empty where there is nothing to write. */
  readonly lines: string
}

/** What must be written so that the file holds of this session what the transcript says. */
export async function planWriting({ file, transcript }: Planning): Promise<Planned> {
  const written = await readSession(file, transcript)
  const told = listLines(transcript.content)
  const news = listMissing(
    written.map(({ role, content }) => toLine({ role, text: content })),
    { told, isCut: isTruncated(transcript.content) },
  )
  const last = news ? (written.at(-1)?.seq ?? 0) : 0
  const records = (news ?? told).map((line, index) =>
    JSON.stringify(toRecord(transcript, readLine(line), last + index + 1)),
  )
  return { mode: news ? 'append' : 'replace', lines: records.join('\n') }
}

/** Bytes; 0 where there is no file. */
export async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

async function readSession(file: string, session: SessionRef): Promise<TranscriptRecord[]> {
  const records: TranscriptRecord[] = []
  for await (const lines of readLines(file))
    records.push(...lines.flatMap((line) => readRecord(line, session) ?? []))
  return records
}

interface Told {
  readonly told: readonly string[]
  readonly isCut: boolean
}

/** Undefined when what is written is not what was said. */
function listMissing(
  written: readonly string[],
  { told, isCut }: Told,
): readonly string[] | undefined {
  const { relation, lines } = mergeLines(written, told)
  if (relation !== 'differs') return lines.slice(written.length)
  // What was left out of the transcript stays in the file.
  return isCut ? listNews(written, told) : undefined
}
