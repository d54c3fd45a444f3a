import type { Turn } from '../transcript.ts'
import { isToolCall, nameOfTool, readWords, toolMark } from './content.ts'
import { type Fields, findText, toFields } from './fields.ts'
import { readRole } from './role.ts'

/** Where in a harness's record a turn was found: some tell the same twice. */
type Origin = 'event' | 'completed' | 'message'

export interface Told extends Turn {
  readonly origin: Origin
}

/** Claude Code sets one of them on its own notes, sub-agents' turns and summaries. */
const harnessMarks = ['isMeta', 'isSidechain', 'isCompactSummary']

/** What one record says in the conversation; most say nothing. */
export function readRecord(record: Fields): Told | undefined {
  const { type } = record
  if (type === 'item.completed') return readItem(toFields(record['item']) ?? {})
  const payload = toFields(record['payload'])
  if (payload) return type === 'event_msg' ? readEvent(payload) : readMessage(payload)
  if (harnessMarks.some((mark) => record[mark] === true)) return undefined
  return readMessage(toFields(record['message']) ?? record, record)
}

/** An item as `codex exec --json` prints it, or as its session file spells it. */
function readItem(item: Fields): Told | undefined {
  const type = findText(item, ['type'])?.replaceAll('_', '').toLowerCase()
  const text = findText(item, ['text']) ?? readWords(item['content'])
  if (type === 'usermessage') return tell('completed', 'user', text)
  if (type === 'agentmessage') return tell('completed', 'assistant', text)
  if (type === 'commandexecution') return tell('completed', 'assistant', toolMark('shell'))
  if (type === 'mcptoolcall') return tell('completed', 'assistant', toolMark(nameOfTool(item)))
  return undefined
}

function readEvent(payload: Fields): Told | undefined {
  const { type } = payload
  if (type === 'item_completed') return readItem(toFields(payload['item']) ?? {})
  const message = findText(payload, ['message', 'text'])
  if (type === 'user_message') return tell('event', 'user', message)
  if (type === 'agent_message') return tell('event', 'assistant', message)
  return undefined
}

const spoken = ['content', 'text', 'message', 'output', 'parts']

/** Who speaks is told by the message, or by the record around it. */
function readMessage(message: Fields, record = message): Told | undefined {
  if (isToolCall(message)) return tell('message', 'assistant', toolMark(nameOfTool(message)))
  const role = readRole(nameSpeaker(message) || nameSpeaker(record))
  if (!role) return undefined
  const said = spoken.map((name) => readWords(message[name])).find((words) => words.trim() !== '')
  const calls = [message['tool_calls'], message['toolCalls']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  const marks = calls.map((call) => toolMark(nameOfTool(toFields(call) ?? {})))
  return tell('message', role, [said ?? '', ...marks].join('\n'))
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

function tell(origin: Origin, role: Turn['role'], text: string | undefined): Told | undefined {
  return text === undefined || text.trim() === '' ? undefined : { origin, role, text }
}
