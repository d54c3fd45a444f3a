import { createHash } from 'node:crypto'
import { isMapping } from '../../kernel/files/read-text.ts'
import type { CapturedSession } from '../transcripts/index.ts'
import type { RejectionCode } from './import-job.ts'

const messageRoles = ['user', 'assistant', 'system', 'tool', 'unknown'] as const

export interface Message {
  readonly role: (typeof messageRoles)[number]
  readonly content: string
}

/** One conversation as a line of an export holds it. */
export interface ConversationLine {
  readonly id: string
  readonly harness: string
  readonly agentId: string
  readonly sessionKey: string
  readonly project: string | null
  readonly timestamp: string
  readonly messages: readonly Message[]
}

/** Hashes that tell two conversations apart. */
export interface Identity {
  /** Of agent, harness and session key. */
  readonly externalIdentity: string
  /** Of the whole content. */
  readonly fingerprint: string
  readonly canonicalId: string
}

export const limits = {
  recordBytes: 16_777_216,
  messageBytes: 4_194_304,
  messages: 50_000,
  canonicalBytes: 8_388_608,
} as const

/** Characters of an id, a harness, an agent and a session key: indexes contain them. */
const maxNameLength = 512

/** A line that is not imported. */
export class RejectedLine extends Error {
  readonly code: RejectionCode

  constructor(code: RejectionCode) {
    super(code)
    this.code = code
  }
}

/** Strict UTF-8. A byte order mark belongs to the text. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws {RejectedLine} */
export function parseLine(bytes: Uint8Array): ConversationLine {
  return toLine(parseJson(bytes))
}

function parseJson(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    if (isMapping(value)) return value
  } catch {
    throw new RejectedLine('malformed')
  }
  throw new RejectedLine('schema_invalid')
}

function toLine(fields: Readonly<Record<string, unknown>>): ConversationLine {
  const { source, project = null, message_count: count } = fields
  const messages = readMessages(fields['messages'])
  if (source !== 'svc' || count !== messages.length) throw new RejectedLine('schema_invalid')
  const timestamp = readName(fields['timestamp'])
  if (Number.isNaN(toInstant(timestamp).getTime())) throw new RejectedLine('schema_invalid')
  return {
    timestamp,
    messages,
    id: readName(fields['id']),
    harness: readName(fields['harness']),
    agentId: readName(fields['agent_id']),
    sessionKey: readName(fields['session_key']),
    project: project === null ? null : readText(project),
  }
}

function readName(value: unknown): string {
  const text = readText(value)
  if (text === '' || text.length > maxNameLength) throw new RejectedLine('schema_invalid')
  return text
}

/** Neither database stores NUL or lone surrogates as they are. */
function readText(value: unknown): string {
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed())
    throw new RejectedLine('schema_invalid')
  return value
}

function readMessages(value: unknown): readonly Message[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= limits.messages
  if (!isList) throw new RejectedLine('schema_invalid')
  const messages = value.map(readMessage)
  if (messages.every(({ content }) => content.trim() === ''))
    throw new RejectedLine('schema_invalid')
  return messages
}

function readMessage(value: unknown): Message {
  const { role, content } = Object(value) as Readonly<Record<string, unknown>>
  const known = messageRoles.find((name) => name === role)
  const fits = typeof content === 'string' && Buffer.byteLength(content) <= limits.messageBytes
  if (!known || !fits) throw new RejectedLine('schema_invalid')
  return { role: known, content }
}

/** Years 1 to 9999 only: other ISO texts do not sort by time. */
export function toInstant(timestamp: string): Date {
  const date = new Date(timestamp)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : new Date(Number.NaN)
}

export function identify(line: Omit<ConversationLine, 'id'>): Identity {
  const { agentId, harness, sessionKey, project, timestamp, messages } = line
  const externalIdentity = hashParts([agentId, harness, sessionKey])
  const words = messages.flatMap(({ role, content }) => [role, content])
  const about = [agentId, harness, sessionKey, project ?? '', timestamp]
  const fingerprint = hashParts([...about, ...words])
  const canonicalId = `import:${hashParts([externalIdentity, fingerprint])}`
  return { externalIdentity, fingerprint, canonicalId }
}

/** SHA-256 of the parts with their lengths in bytes, so that no two lists have the same text. */
function hashParts(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const [index, part] of parts.entries())
    hash.update(`${index > 0 ? '|' : ''}${Buffer.byteLength(part)}:${part}`)
  return hash.digest('hex')
}

/** The fields of a line in their order. `JSON.stringify` of the result is the exported line. */
export function toWireLine({ id, harness, agentId, sessionKey, ...line }: ConversationLine) {
  const { project, timestamp, messages } = line
  return {
    id,
    source: 'svc',
    harness,
    agent_id: agentId,
    session_key: sessionKey,
    project,
    timestamp,
    message_count: messages.length,
    messages: messages.map(({ role, content }) => ({ role, content })),
  }
}

/** A captured session as a line of an export. */
export function toCapturedLine(session: CapturedSession): ConversationLine {
  const { agentId, sessionKey, harness, project, createdAt, turns } = session
  return {
    agentId,
    sessionKey,
    harness,
    project,
    id: `session:${sessionKey}`,
    timestamp: createdAt,
    messages: turns.map(({ role, text }) => ({ role, content: text })),
  }
}
