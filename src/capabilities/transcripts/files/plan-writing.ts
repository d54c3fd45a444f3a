import { readLines } from '../../../kernel/files/append-lines.ts'
import { listNews, mergeLines } from '../merge.ts'
import {
  hashContent,
  isTruncated,
  listLines,
  readLine,
  type SessionRef,
  type Transcript,
  toLine,
} from '../transcript.ts'
import type { Written } from '../written.ts'
import { readRecord, type TranscriptRecord, toRecord } from './record.ts'

export interface Planning {
  readonly file: string
  readonly transcript: Transcript
  /** Undefined where it must be looked for. */
  readonly written: Written | undefined
}

export interface Planned {
  /** `replace`: the session took another course than the file tells. */
  readonly mode: 'append' | 'replace'
  /** Records, a line each; empty where there is nothing to write. */
  readonly lines: string
  /** Of the last record of the session, once they are written. */
  readonly seq: number
}

/** What must be written so that the file holds of this session what the transcript says. */
export async function planWriting({ file, transcript, written }: Planning): Promise<Planned> {
  const { content } = transcript
  if (written && beginsWith(content, written)) {
    const news = content.slice(written.length + 1)
    return toPlanned(transcript, news === '' ? [] : news.split('\n'), written.seq)
  }
  const there = await readSession(file, transcript)
  const told = listLines(content)
  const news = listMissing(
    there.map(({ role, content: text }) => toLine({ role, text })),
    { told, isCut: isTruncated(content) },
  )
  return news
    ? toPlanned(transcript, news, there.at(-1)?.seq ?? 0)
    : { ...toPlanned(transcript, told, 0), mode: 'replace' }
}

/** Whether what is told now goes on where the file ends. */
function beginsWith(content: string, { hash, length }: Written): boolean {
  const isWhole = content.length === length || content[length] === '\n'
  return isWhole && hashContent(content.slice(0, length)) === hash
}

function toPlanned(transcript: Transcript, lines: readonly string[], last: number): Planned {
  const records = lines.map((line, index) =>
    JSON.stringify(toRecord(transcript, readLine(line), last + index + 1)),
  )
  return { mode: 'append', lines: records.join('\n'), seq: last + lines.length }
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
