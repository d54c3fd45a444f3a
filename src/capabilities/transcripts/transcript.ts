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
  readonly contentHash: string
  readonly sourceFormat: SourceFormat
  readonly sourcePath: string | null
  /** When the conversation took place, by who brought it. */
  readonly capturedAt: string
  /** Null while more may come; only what is complete is evidence. */
  readonly completedAt: string | null
  /** Set by a compaction: the next snapshot takes its place, be it shorter. */
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
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
const longestContent = 4_194_304

export function toContent(turns: readonly Turn[], truncated = false): string {
  const lines = turns.map(({ role, text }) => `${labels[role]}${text}`)
  const newest = keepNewest(lines)
  const isCut = truncated || newest.length < lines.length
  return (isCut ? [truncationMark, ...newest] : lines).join('\n')
}

function keepNewest(lines: readonly string[]): readonly string[] {
  let length = 0
  const oldest = lines.findLastIndex((line) => {
    length += line.length + 1
    return length > longestContent
  })
  return lines.slice(oldest + 1)
}

export function readContent(content: string): Turn[] {
  return content
    .split('\n')
    .filter((line) => line !== '' && line !== truncationMark)
    .map((line) => {
      const role = roles.find((role) => line.startsWith(labels[role]))
      return role
        ? { role, text: line.slice(labels[role].length) }
        : { role: 'unknown', text: line }
    })
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
