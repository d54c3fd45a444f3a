import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { appendLines, readLines } from '../../../kernel/files/append-lines.ts'
import type { FileLock, FileLocks } from '../../../kernel/files/file-lock.ts'
import { replaceFileBy } from '../../../kernel/files/replace-file.ts'
import type { SessionRef, Transcript } from '../transcript.ts'
import { parseLine, readRecord, type TranscriptRecord, toRecords } from './record.ts'

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
    const wanted = toRecords(transcript)
    const written = await readSession(file, transcript)
    const news = listMissing(written, wanted)
    await lock.confirm()
    if (news) await appendLines(file, news.map(toLine))
    else await replaceSession(file, lock, { transcript, wanted })
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

/** Undefined when what is written is no beginning of what is wanted. */
function listMissing(
  written: readonly TranscriptRecord[],
  wanted: readonly TranscriptRecord[],
): readonly TranscriptRecord[] | undefined {
  const isBeginning = written.every(({ id }, index) => id === wanted[index]?.id)
  return isBeginning ? wanted.slice(written.length) : undefined
}

function replaceSession(
  file: string,
  lock: FileLock,
  { transcript, wanted }: { transcript: Transcript; wanted: readonly TranscriptRecord[] },
): Promise<void> {
  return rewrite(file, lock, {
    isKept: (line) => readRecord(line, transcript) === undefined,
    added: wanted,
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
