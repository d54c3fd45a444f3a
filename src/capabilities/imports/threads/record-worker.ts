import { hash } from 'node:crypto'
import {
  type ConversationLine,
  type Identity,
  identify,
  limits,
  parseLine,
  RejectedLine,
  toInstant,
} from '../conversation.ts'
import type { RejectionCode } from '../import-job.ts'

/** A line that can be imported. */
export interface ReadConversation extends Omit<ConversationLine, 'messages'>, Identity {
  /** The instant of the timestamp, in UTC. */
  readonly at: string
  /** JSON of the messages. */
  readonly messages: string
  /** Bytes of the messages as JSON. */
  readonly size: number
  /** One message a line; only of a long conversation. */
  readonly lines: string | undefined
}

/** Session search keeps the newest lines of a long text. */
const longTextLength = 1_048_576

export type ReadRecord = {
  /** SHA-256 of the line. */
  readonly rawHash: string
} & (
  | { readonly conversation: ReadConversation; readonly code?: never }
  | { readonly code: RejectionCode; readonly conversation?: never }
)

export async function readRecords(lines: readonly Uint8Array[]): Promise<readonly ReadRecord[]> {
  return lines.map(readRecord)
}

function readRecord(bytes: Uint8Array): ReadRecord {
  const rawHash = hash('sha256', bytes)
  try {
    return { rawHash, conversation: toConversation(parseLine(bytes)) }
  } catch (error) {
    if (error instanceof RejectedLine) return { rawHash, code: error.code }
    throw error
  }
}

function toConversation({ messages, ...line }: ConversationLine): ReadConversation {
  const json = JSON.stringify(messages)
  const size = Buffer.byteLength(json)
  if (size > limits.canonicalBytes) throw new RejectedLine('canonical_batch_too_large')
  return {
    ...line,
    ...identify({ ...line, messages }),
    size,
    at: toInstant(line.timestamp).toISOString(),
    messages: json,
    lines:
      json.length > longTextLength
        ? messages.map((message) => JSON.stringify(message)).join('\n')
        : undefined,
  }
}
