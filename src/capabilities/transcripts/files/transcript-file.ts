import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import { readLines } from '../../../kernel/files/append-lines.ts'
import type { FileLock, FileLocks } from '../../../kernel/files/file-lock.ts'
import { listFolder } from '../../../kernel/files/folders.ts'
import { replaceFileWith } from '../../../kernel/files/replace-file.ts'
import type { SessionRef, Transcript, Turn } from '../transcript.ts'

interface FileNeeds {
  readonly folder: string
  readonly locks: FileLocks
}

/** Within the workspace. */
export function pathOfTranscripts(harness: string): string {
  return `transcripts/${harness}/transcript.jsonl`
}

/** Replaces all records of the session by the given lines. */
export function replaceSession(
  { file, lock }: { readonly file: string; readonly lock: FileLock },
  session: SessionRef,
  lines: string,
): Promise<void> {
  const retain = async (lines: readonly Buffer[]) =>
    lines.filter((line) => readSessionRecord(line, session) === undefined)
  return rewrite(file, lock, { retain, appended: lines })
}

interface RecordDeletion {
  readonly agentId: string
  /** The retained sessions among these. */
  findRetained(keys: readonly string[]): Promise<ReadonlySet<string>>
}

/** Deletes an agent's records from a harness file, except those of retained sessions. */
export async function deleteAgentRecords(
  { folder, locks }: FileNeeds,
  { agentId, findRetained }: RecordDeletion,
  harness: string,
): Promise<void> {
  const file = join(folder, pathOfTranscripts(harness))
  const retain = async (lines: readonly Buffer[]) => {
    const parsed = lines.map((line) => ({ line, record: parseLine(line) }))
    const keys = parsed.flatMap(({ record }) =>
      record?.agent_id === agentId ? [record.session_key ?? ''] : [],
    )
    const retained = await findRetained([...new Set(keys)])
    return parsed
      .filter(
        ({ record }) => record?.agent_id !== agentId || retained.has(record.session_key ?? ''),
      )
      .map(({ line }) => line)
  }
  await locks.withLock(file, (lock) => rewrite(file, lock, { retain, appended: '' }))
}

export async function* listHarnesses(folder: string): AsyncGenerator<string> {
  for await (const entry of listFolder(join(folder, 'transcripts')))
    if (entry.isDirectory()) yield entry.name
}

interface RewriteOptions {
  /** The retained lines. */
  retain(lines: readonly Buffer[]): Promise<readonly Buffer[]>
  /** Lines to append; may be empty. */
  readonly appended: string
}

async function rewrite(
  file: string,
  lock: FileLock,
  { retain, appended }: RewriteOptions,
): Promise<void> {
  await replaceFileWith(file, async (next) => {
    for await (const lines of readLines(file)) {
      const retained = await retain(lines)
      if (retained.length > 0) await next.appendFile(`${retained.join('\n')}\n`)
    }
    if (appended !== '') await next.appendFile(`${appended}\n`)
    await lock.confirm()
  })
}

/** One line of `transcript.jsonl`: a turn with its source. */
export interface TranscriptRecord {
  readonly schema: 'svc.transcript.v1'
  /** 32 hexadecimal digits, derived from the turn and its position. */
  readonly id: string
  readonly captured_at: string
  readonly agent_id: string
  readonly harness: string
  readonly session_key: string | null
  readonly session_id: string | null
  readonly project: string | null
  /** Starts at 1 and increases within the session. */
  readonly seq: number
  readonly role: Turn['role']
  readonly content: string
  readonly source_format: Transcript['sourceFormat']
  readonly source_path?: string
  readonly source_sha256: string
}

export function toRecord(
  transcript: Transcript,
  { role, text }: Turn,
  seq: number,
): TranscriptRecord {
  const { agentId, harness, sessionKey, sourcePath } = transcript
  const identity = [agentId, harness, sessionKey, String(seq), role, text].join('\0')
  return {
    schema: 'svc.transcript.v1',
    id: hash('sha256', identity).slice(0, 32),
    captured_at: transcript.capturedAt,
    agent_id: agentId,
    harness,
    session_key: sessionKey,
    session_id: transcript.sessionId,
    project: transcript.project,
    seq,
    role,
    content: text,
    source_format: transcript.sourceFormat,
    ...(sourcePath !== null && { source_path: sourcePath }),
    source_sha256: transcript.contentHash,
  }
}

/** Undefined for another session's record and for an invalid line. */
export function readSessionRecord(
  line: Buffer,
  { agentId, sessionKey }: SessionRef,
): TranscriptRecord | undefined {
  // Most lines belong to other sessions and are not parsed.
  if (!line.includes(JSON.stringify(sessionKey))) return undefined
  const record = parseLine(line)
  const isOurs = record?.agent_id === agentId && record.session_key === sessionKey
  return isOurs ? record : undefined
}

function parseLine(line: Buffer): TranscriptRecord | undefined {
  try {
    return JSON.parse(line.toString('utf8')) as TranscriptRecord
  } catch {
    return undefined
  }
}

/** Identity (path and inode) and size of a file; undefined and 0 when it is missing. */
export async function statFile(
  path: string,
): Promise<{ readonly file: string | undefined; readonly size: number }> {
  try {
    const { ino, size } = await stat(path)
    return { file: `${path}#${ino}`, size }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { file: undefined, size: 0 }
    throw error
  }
}
