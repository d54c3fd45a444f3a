import { createHash } from 'node:crypto'

export type Role = 'user' | 'assistant' | 'unknown'

export interface Turn {
  readonly role: Role
  /** One line, without anything that must not be kept. */
  readonly text: string
}

export type SourceFormat = 'jsonl' | 'markdown' | 'db' | 'live' | 'normalized'

/** Whose conversation it is. */
export interface SessionRef {
  readonly agentId: string
  readonly sessionKey: string
}

/** What is known of a conversation, as its turns in one text. Times are ISO in UTC. */
export interface Transcript extends SessionRef {
  readonly sessionId: string | null
  readonly harness: string
  readonly project: string | null
  /** A turn a line: see `toContent`. */
  readonly content: string
  /** Of what was told at once; where that went on, of the former and what came to it. */
  readonly contentHash: string
  /** Stays the same while the content only goes on. */
  readonly course: string
  readonly sourceFormat: SourceFormat
  readonly sourcePath: string | null
  /** When the conversation took place, by who brought it. */
  readonly capturedAt: string
  /** Null while more may come; only what is complete is evidence. */
  readonly completedAt: string | null
  /** Set by a compaction: once it is in its file the next snapshot takes its place, be it shorter. */
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A transcript but for what was said: each may be megabytes. */
export interface Outline extends Omit<Transcript, 'content'> {
  /** Characters of the content, as the database counts them. */
  readonly length: number
  /** The end of the content, as much as was asked for. */
  readonly ending: string
}

/** Stands first where older turns were left out. */
const truncationMark = '[truncated]'

const labels: Readonly<Record<Role, string>> = {
  user: 'User: ',
  assistant: 'Assistant: ',
  unknown: 'Unknown: ',
}
const roles = Object.keys(labels) as readonly Role[]

/** Characters that are kept of one conversation: of a longer one the newest turns. */
export const longestContent = 4_194_304
/** To this one that goes on is cut, so that not every further turn has to cut it again. */
export const roomyContent = 3_670_016

export function toLine({ role, text }: Turn): string {
  return `${labels[role]}${text}`
}

export function readLine(line: string): Turn {
  const role = roles.find((role) => line.startsWith(labels[role]))
  return role ? { role, text: line.slice(labels[role].length) } : { role: 'unknown', text: line }
}

export function toContent(turns: readonly Turn[], truncated = false): string {
  return bound(turns.map(toLine).join('\n'), truncated)
}

/** Of these lines the newest that may be kept, after a mark where that is not all. */
export function bound(lines: string, truncated: boolean, most = longestContent): string {
  const newest = lines.length > most ? cutBefore(lines, most) : lines
  if (!truncated && newest.length === lines.length) return lines
  return newest === '' ? truncationMark : `${truncationMark}\n${newest}`
}

/** The last so many characters from where a line begins. */
function cutBefore(lines: string, most: number): string {
  const before = lines.indexOf('\n', lines.length - most - 1)
  return before === -1 ? '' : lines.slice(before + 1)
}

/** What was said, a turn a line, without the mark of what was left out. */
export function linesIn(content: string): string {
  return isTruncated(content) ? content.slice(truncationMark.length + 1) : content
}

export function listLines(content: string): readonly string[] {
  const lines = linesIn(content)
  return lines === '' ? [] : lines.split('\n')
}

export function readContent(content: string): Turn[] {
  return listLines(content).map(readLine)
}

/** The last so many turns, without looking at the rest. */
export function readLastTurns(content: string, most: number): Turn[] {
  const lines = linesIn(content)
  let start = lines.length
  for (let count = 0; count < most && start > 0; count++) start = lines.lastIndexOf('\n', start - 1)
  return listLines(lines.slice(start + 1)).map(readLine)
}

export function isTruncated(content: string): boolean {
  return content === truncationMark || content.startsWith(`${truncationMark}\n`)
}

export function hashContent(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** By this name files and rows of one session find each other. */
export function sessionTokenOf({ agentId, sessionKey, sessionId }: Named): string {
  const digest = createHash('sha256')
    .update(`${agentId}:${sessionId ?? sessionKey}`)
    .digest()
  return toBase32(digest).slice(0, 16)
}

type Named = SessionRef & { readonly sessionId: string | null }

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{5}/g) ?? []
  return groups.map((group) => base32[Number.parseInt(group, 2)]).join('')
}
