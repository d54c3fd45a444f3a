import type { Turn } from '../transcript.ts'
import { isToolCall, nameOfTool, readMessageText, toolMark } from './content.ts'
import { type Fields, findText, toFields } from './fields.ts'
import { readRole } from './role.ts'

/** The kind of record that contains a turn; some harnesses record a turn twice. */
type Origin = 'event' | 'completed' | 'message'

export interface RawTurn extends Turn {
  readonly origin: Origin
}

/** Claude Code sets one of them on its own notes, sub-agents' turns and summaries. */
const harnessMarks = ['isMeta', 'isSidechain', 'isCompactSummary']

/** The turn of one record; undefined for most records. */
export function readRecord(record: Fields): RawTurn | undefined {
  const { type } = record
  if (type === 'item.completed') return readItem(toFields(record['item']) ?? {})
  const payload = toFields(record['payload'])
  if (payload) return type === 'event_msg' ? readEvent(payload) : readMessage(payload)
  if (harnessMarks.some((mark) => record[mark] === true)) return undefined
  return readMessage(toFields(record['message']) ?? record, record)
}

/** An item as `codex exec --json` prints it, or as its session file spells it. */
function readItem(item: Fields): RawTurn | undefined {
  const type = findText(item, ['type'])?.replaceAll('_', '').toLowerCase()
  const text = findText(item, ['text']) ?? readMessageText(item['content'])
  if (type === 'usermessage') return toRawTurn('completed', 'user', text)
  if (type === 'agentmessage') return toRawTurn('completed', 'assistant', text)
  if (type === 'commandexecution') return toRawTurn('completed', 'assistant', toolMark('shell'))
  if (type === 'mcptoolcall') return toRawTurn('completed', 'assistant', toolMark(nameOfTool(item)))
  return undefined
}

function readEvent(payload: Fields): RawTurn | undefined {
  const { type } = payload
  if (type === 'item_completed') return readItem(toFields(payload['item']) ?? {})
  const message = findText(payload, ['message', 'text'])
  if (type === 'user_message') return toRawTurn('event', 'user', message)
  if (type === 'agent_message') return toRawTurn('event', 'assistant', message)
  return undefined
}

const textFields = ['content', 'text', 'message', 'output', 'parts']

/** The speaker is a field of the message or of its record. */
function readMessage(message: Fields, record = message): RawTurn | undefined {
  if (isToolCall(message)) return toRawTurn('message', 'assistant', toolMark(nameOfTool(message)))
  const role = readRole(nameSpeaker(message) || nameSpeaker(record))
  if (!role) return undefined
  const text = textFields
    .map((name) => readMessageText(message[name]))
    .find((words) => words.trim() !== '')
  const calls = [message['tool_calls'], message['toolCalls']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  const marks = calls.map((call) => toolMark(nameOfTool(toFields(call) ?? {})))
  return toRawTurn('message', role, [text ?? '', ...marks].join('\n'))
}

/** `type` counts only where it is the name of a speaker. */
function nameSpeaker(record: Fields): string {
  const named = findText(record, ['role', 'speaker', 'author'])
  if (named !== undefined) return named
  for (const about of [toFields(record['author']), toFields(record['info'])]) {
    const role = about && findText(about, ['role', 'name'])
    if (role !== undefined) return role
  }
  const type = findText(record, ['type']) ?? ''
  return readRole(type) === 'unknown' ? '' : type
}

function toRawTurn(
  origin: Origin,
  role: Turn['role'],
  text: string | undefined,
): RawTurn | undefined {
  return text === undefined || text.trim() === '' ? undefined : { origin, role, text }
}
