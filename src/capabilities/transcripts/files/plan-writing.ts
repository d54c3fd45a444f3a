import { readLines } from '../../../kernel/files/append-lines.ts'
import { dropInjectedLines } from '../injected-blocks.ts'
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
  /** The number of the record that its content goes on from; undefined where it must be looked for. */
  readonly after: number | undefined
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
export async function planWriting({ file, transcript, after }: Planning): Promise<Planned> {
  const { content } = transcript
  // It begins with the end of the line before.
  if (after !== undefined) return toPlanned(transcript, content.split('\n').slice(1), after)
  const there = await readSession(file, transcript)
  const written = there.map(({ role, content: text }) => toLine({ role, text }))
  const before = dropInjectedLines(written)
  const told = listLines(content)
  const news = listMissing(before, { told, isCut: isTruncated(content) })
  const isClean =
    before.length === written.length && before.every((line, at) => line === written[at])
  if (news && isClean) return toPlanned(transcript, news, there.at(-1)?.seq ?? 0)
  // Another course, or lines of a release that knew fewer injected blocks.
  const lines = news ? [...before, ...news] : told
  return { ...toPlanned(transcript, lines, 0), mode: 'replace' }
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
