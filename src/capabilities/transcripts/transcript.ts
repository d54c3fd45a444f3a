import { createHash, hash } from 'node:crypto'
import { sliceText } from '../../kernel/redaction/slice-text.ts'

export type Role = 'user' | 'assistant' | 'unknown'

export interface Turn {
  readonly role: Role
  /** One line, without credentials, private spans and injected blocks. */
  readonly text: string
}

export type SourceFormat = 'jsonl' | 'markdown' | 'db' | 'live' | 'normalized' | 'import'

export interface SessionRef {
  readonly agentId: string
  readonly sessionKey: string
}

/** A conversation with its turns in one text. Times are ISO in UTC. */
export interface Transcript extends SessionRef {
  readonly sessionId: string | null
  readonly harness: string
  readonly project: string | null
  /** One turn a line; see `toContent`. */
  readonly content: string
  /** Hash of the content; after an append, of the previous hash and the added text. */
  readonly contentHash: string
  /** Identifies the branch: constant while content is only appended. */
  readonly course: string
  readonly sourceFormat: SourceFormat
  readonly sourcePath: string | null
  /** When the conversation took place, as given by the writer. */
  readonly capturedAt: string
  /** Null while the session is open. */
  readonly completedAt: string | null
  /** Set by a compaction. Once the file has the content, the next snapshot replaces it. */
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A transcript without its content, which may be megabytes. */
export interface TranscriptHeader extends Omit<Transcript, 'content'> {
  /** Characters of the content, as the database counts them. */
  readonly length: number
  /** The requested number of characters from the end of the content. */
  readonly tail: string
}

/** The first line where older turns were dropped. */
const truncationMark = '[truncated]'

const labels: Readonly<Record<Role, string>> = {
  user: 'User: ',
  assistant: 'Assistant: ',
  unknown: 'Unknown: ',
}
const roles = Object.keys(labels) as readonly Role[]

/** Characters of a stored conversation; the oldest turns are dropped. */
export const maxContentLength = 4_194_304
/** A longer turn is cut, because its line could displace all other turns. */
const maxTurnLength = 1_048_576
/** A full live conversation is trimmed to this, so not every append trims it again. */
export const trimTarget = 3_670_016

export function toLine({ role, text }: Turn): string {
  return `${labels[role]}${text}`
}

export function readLine(line: string): Turn {
  const role = roles.find((role) => line.startsWith(labels[role]))
  return role ? { role, text: line.slice(labels[role].length) } : { role: 'unknown', text: line }
}

export function toContent(turns: readonly Turn[], truncated = false): string {
  const lines = turns.map(({ role, text }) => toLine({ role, text: boundText(text) }))
  return boundContent(lines.join('\n'), truncated)
}

function boundText(text: string): string {
  if (text.length <= maxTurnLength) return text
  return `${sliceText(text, 0, maxTurnLength)} ${truncationMark}`
}

/** The newest lines within the limit, after a mark if lines were dropped. */
export function boundContent(
  lines: string,
  truncated: boolean,
  maxLength = maxContentLength,
): string {
  const retained = lines.length > maxLength ? takeLastLines(lines, maxLength) : lines
  if (!truncated && retained.length === lines.length) return lines
  return retained === '' ? truncationMark : `${truncationMark}\n${retained}`
}

/** The whole lines within the last `maxLength` characters. */
function takeLastLines(lines: string, maxLength: number): string {
  const before = lines.indexOf('\n', lines.length - maxLength - 1)
  return before === -1 ? '' : lines.slice(before + 1)
}

/** The lines without the truncation mark. */
export function removeTruncationMark(content: string): string {
  return isTruncated(content) ? content.slice(truncationMark.length + 1) : content
}

export function listLines(content: string): readonly string[] {
  const lines = removeTruncationMark(content)
  return lines === '' ? [] : lines.split('\n')
}

export function readContent(content: string): Turn[] {
  return listLines(content).map(readLine)
}

/** The last turns, without parsing the rest. */
export function readLastTurns(content: string, maxTurns: number): Turn[] {
  const lines = removeTruncationMark(content)
  let start = lines.length
  for (let count = 0; count < maxTurns && start > 0; count++)
    start = lines.lastIndexOf('\n', start - 1)
  return listLines(lines.slice(start + 1)).map(readLine)
}

export function isTruncated(content: string): boolean {
  return content === truncationMark || content.startsWith(`${truncationMark}\n`)
}

export function hashContent(content: string): string {
  return hash('sha256', content)
}

/** The token that links files and rows of one session. */
export function sessionTokenOf({ agentId, sessionKey, sessionId }: SessionIdentity): string {
  const digest = createHash('sha256')
    .update(`${agentId}:${sessionId ?? sessionKey}`)
    .digest()
  return toBase32(digest).slice(0, 16)
}

type SessionIdentity = SessionRef & { readonly sessionId: string | null }

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{5}/g) ?? []
  return groups.map((group) => base32[Number.parseInt(group, 2)]).join('')
}

/** Converts a harness name to a safe folder name: `[a-z0-9._-]`, never only dots. */
export function cleanHarness(harness: string): string {
  const name = harness
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
    .slice(0, 64)
  return /^\.*$/.test(name) ? `-${name.replaceAll('.', '-')}` : name
}
