import type { Caller } from '../../../kernel/auth/caller.ts'
import { Stream } from '../../../kernel/http/stream.ts'
import {
  type ConversationLine,
  identify,
  limits,
  type Message,
  toCapturedLine,
  toInstant,
  toWireLine,
} from '../conversation.ts'
import type { ImportsNeeds } from '../needs.ts'
import { listConversations } from '../store/conversations.ts'
import type { ConversationRow } from '../store/rows.ts'
import { assertTarget } from '../target.ts'

const pageSize = 50

export interface ExportRequest {
  readonly harnesses?: readonly string[] | undefined
  /** ISO in UTC. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly limit?: number | undefined
  readonly offset: number
  readonly messagesOnly: boolean
  readonly json: boolean
}

/** Streams imported and captured conversations in the order of their beginning. */
export function exportTranscripts(
  needs: ImportsNeeds,
  caller: Caller,
  request: ExportRequest,
): Stream {
  assertTarget(needs, caller)
  const { json, limit = Number.POSITIVE_INFINITY, offset, messagesOnly } = request
  async function* texts() {
    const lines = selectMessages(mergeLines(needs, request), messagesOnly)
    for await (const line of slice(lines, offset, limit)) yield toText(line)
  }
  return json
    ? new Stream({ contentType: 'application/json; charset=utf-8', chunks: toArray(texts()) })
    : new Stream({ contentType: 'application/x-ndjson; charset=utf-8', chunks: toRows(texts()) })
}

/** Both sources are sorted; the earlier line comes first. */
async function* mergeLines(
  { background: db, agentId, transcripts }: ImportsNeeds,
  { harnesses, since, until }: ExportRequest,
): AsyncGenerator<ConversationLine> {
  const filter = { agentId, harnesses, since, until, limit: pageSize }
  const imported = toImportedLines(
    listPages((after) => listConversations(db, { ...filter, after })),
  )
  const captured = toCapturedLines(transcripts.imports.listCaptured(db, filter))
  let [left, right] = [await imported.next(), await captured.next()]
  while (!left.done || !right.done) {
    const isLeft = right.done || (!left.done && isBefore(left.value, right.value))
    if (isLeft && !left.done) {
      yield left.value
      left = await imported.next()
    } else if (!right.done) {
      yield right.value
      right = await captured.next()
    }
  }
}

type Page = (after: ConversationRow | undefined) => Promise<readonly ConversationRow[]>

/** Each page is a query of its own, so that a slow reader holds no transaction. */
async function* listPages(read: Page): AsyncGenerator<ConversationRow> {
  let last: ConversationRow | undefined
  for (;;) {
    const page: readonly ConversationRow[] = await read(last)
    yield* page
    last = page.at(-1)
    if (page.length < pageSize) return
  }
}

async function* toImportedLines(rows: AsyncIterable<ConversationRow>) {
  for await (const row of rows) yield toImportedLine(row)
}

async function* toCapturedLines(sessions: AsyncIterable<Parameters<typeof toCapturedLine>[0]>) {
  for await (const session of sessions) yield toCapturedLine(session)
}

function toImportedLine(row: ConversationRow): ConversationLine {
  const { lineId: id, sourceAgentId: agentId, harness, sessionKey, project, timestamp } = row
  const messages: readonly Message[] = JSON.parse(row.messages)
  return { id, agentId, harness, sessionKey, project, timestamp, messages }
}

function isBefore(left: ConversationLine, right: ConversationLine): boolean {
  const times = toInstant(left.timestamp).getTime() - toInstant(right.timestamp).getTime()
  if (times !== 0) return times < 0
  const keys = Buffer.compare(Buffer.from(left.sessionKey), Buffer.from(right.sessionKey))
  return keys === 0 ? identify(left).canonicalId < identify(right).canonicalId : keys < 0
}

async function* selectMessages(lines: AsyncIterable<ConversationLine>, messagesOnly: boolean) {
  for await (const line of lines) {
    const messages = messagesOnly ? line.messages.filter(isConversation) : line.messages
    if (messages.length > 0) yield { ...line, messages }
  }
}

function isConversation({ role }: Message): boolean {
  return role === 'user' || role === 'assistant'
}

async function* slice<Item>(items: AsyncIterable<Item>, offset: number, limit: number) {
  let index = 0
  if (limit === 0) return
  for await (const item of items) {
    if (index >= offset) yield item
    index++
    if (index >= offset + limit) return
  }
}

function toText(line: ConversationLine): string {
  const text = JSON.stringify(toWireLine(line))
  // No import would accept the line, so the stream ends with an error.
  if (Buffer.byteLength(text) > limits.recordBytes)
    throw new Error(`The conversation '${line.id}' exceeds ${limits.recordBytes} bytes.`)
  return text
}

async function* toRows(texts: AsyncIterable<string>) {
  for await (const text of texts) yield `${text}\n`
}

async function* toArray(texts: AsyncIterable<string>) {
  let separator = '['
  for await (const text of texts) {
    yield `${separator}${text}`
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
