import { createHash } from 'node:crypto'
import type { SessionRef, Transcript, Turn } from '../transcript.ts'

/** One line of `transcript.jsonl`: a turn with where it is from. */
export interface TranscriptRecord {
  readonly schema: 'svc.transcript.v1'
  /** 32 hexadecimal digits: the same turn in the same place has the same. */
  readonly id: string
  readonly captured_at: string
  readonly agent_id: string
  readonly harness: string
  readonly session_key: string | null
  readonly session_id: string | null
  readonly project: string | null
  /** From 1, rising within the session. */
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
    id: createHash('sha256').update(identity).digest('hex').slice(0, 32),
    captured_at: transcript.capturedAt,
    agent_id: agentId,
    harness,
    session_key: sessionKey,
    session_id: transcript.sessionId,
    project: transcript.project,
    ...{ seq, role, content: text },
    source_format: transcript.sourceFormat,
    ...(sourcePath !== null && { source_path: sourcePath }),
    source_sha256: transcript.contentHash,
  }
}

/** Undefined for a line that is none of this session's, or no record. */
export function readSessionRecord(
  line: Buffer,
  { agentId, sessionKey }: SessionRef,
): TranscriptRecord | undefined {
  // Most lines are another session's: they are not parsed.
  if (!line.includes(JSON.stringify(sessionKey))) return undefined
  const record = parseLine(line)
  const isOurs = record?.agent_id === agentId && record.session_key === sessionKey
  return isOurs ? record : undefined
}

export function parseLine(line: Buffer): TranscriptRecord | undefined {
  try {
    return JSON.parse(line.toString('utf8')) as TranscriptRecord
  } catch {
    return undefined
  }
}
