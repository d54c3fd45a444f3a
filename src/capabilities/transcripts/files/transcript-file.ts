import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { appendLines, readLines } from '../../../kernel/files/append-lines.ts'
import type { FileLock, FileLocks } from '../../../kernel/files/file-lock.ts'
import { replaceFileBy } from '../../../kernel/files/replace-file.ts'
import { listNews, mergeTurns } from '../merge.ts'
import { isTruncated, readContent, type SessionRef, type Transcript } from '../transcript.ts'
import { parseLine, readRecord, type TranscriptRecord, toRecord } from './record.ts'

export interface FileNeeds {
  readonly folder: string
  readonly locks: FileLocks
}

/** Within the workspace. */
export function pathOfTranscripts(harness: string): string {
  return `transcripts/${harness}/transcript.jsonl`
}

/**
 * Brings what the harness's file holds of this session to what the transcript says. Whether it still
 * counts is asked once nobody else has the file: whoever takes out what an agent has said comes after.
 */
export async function writeTranscript(
  { folder, locks }: FileNeeds,
  transcript: Transcript,
  isThere: () => Promise<boolean>,
): Promise<void> {
  const file = join(folder, pathOfTranscripts(transcript.harness))
  await mkdir(dirname(file), { recursive: true })
  await locks.hold(file, async (lock) => {
    if (!(await isThere())) return
    const written = await readSession(file, transcript)
    const news = listMissing(written, transcript)
    await lock.confirm()
    if (news) await appendLines(file, news.map(toLine))
    else await replaceSession(file, lock, transcript)
  })
}

interface Keeping {
  readonly agentId: string
  readonly kept: ReadonlySet<string>
}

/** Takes out what an agent has said in any other session than these. */
export async function keepOnly(
  { folder, locks }: FileNeeds,
  { agentId, kept }: Keeping,
  harness: string,
): Promise<void> {
  const file = join(folder, pathOfTranscripts(harness))
  await mkdir(dirname(file), { recursive: true })
  const isKept = (line: Buffer) => {
    const record = parseLine(line)
    return record?.agent_id !== agentId || kept.has(record.session_key ?? '')
  }
  await locks.hold(file, (lock) => rewrite(file, lock, { isKept, added: [] }))
}

async function readSession(file: string, session: SessionRef): Promise<TranscriptRecord[]> {
  const records: TranscriptRecord[] = []
  for await (const lines of readLines(file))
    records.push(...lines.flatMap((line) => readRecord(line, session) ?? []))
  return records
}

/** Undefined when what is written is not what was said: the session took another course. */
function listMissing(
  written: readonly TranscriptRecord[],
  transcript: Transcript,
): readonly TranscriptRecord[] | undefined {
  const there = written.map(({ role, content }) => ({ role, text: content }))
  const wanted = readContent(transcript.content)
  const { relation, turns } = mergeTurns(there, wanted)
  const isCut = isTruncated(transcript.content)
  if (relation === 'differs' && !isCut) return undefined
  // What was left out of the transcript stays in the file.
  const news = relation === 'differs' ? listNews(there, wanted) : turns.slice(there.length)
  const last = written.at(-1)?.seq ?? 0
  return news.map((turn, index) => toRecord(transcript, turn, last + index + 1))
}

function replaceSession(file: string, lock: FileLock, transcript: Transcript): Promise<void> {
  const turns = readContent(transcript.content)
  return rewrite(file, lock, {
    isKept: (line) => readRecord(line, transcript) === undefined,
    added: turns.map((turn, index) => toRecord(transcript, turn, index + 1)),
  })
}

interface Rewriting {
  isKept(line: Buffer): boolean
  readonly added: readonly TranscriptRecord[]
}

async function rewrite(file: string, lock: FileLock, { isKept, added }: Rewriting): Promise<void> {
  await replaceFileBy(file, async (next) => {
    for await (const lines of readLines(file)) {
      const kept = lines.filter(isKept)
      if (kept.length > 0) await next.appendFile(`${kept.join('\n')}\n`)
    }
    if (added.length > 0) await next.appendFile(`${added.map(toLine).join('\n')}\n`)
    await lock.confirm()
  })
}

function toLine(record: TranscriptRecord): string {
  return JSON.stringify(record)
}
