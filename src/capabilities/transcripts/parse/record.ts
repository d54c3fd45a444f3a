import { isMapping } from '../../../kernel/files/read-text.ts'
import type { Role, Turn } from '../transcript.ts'

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

/** An item in the format of `codex exec --json` or of the session file. */
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

/** `type` is used only if it names a speaker. */
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

const toolCalls = [
  'tool_use',
  'toolcall',
  'tool_call',
  'tool-call',
  'function_call',
  'custom_tool_call',
  'server_tool_use',
  'tool-invocation',
]
/** Marks of parts that are reasoning or injected by the harness. */
const hiddenMarks = ['thought', 'synthetic', 'ignored']
const textTypes = ['text', 'input_text', 'output_text', 'markdown']

/** A tool call is reduced to its name, without arguments and result. */
export function toolMark(name: string | undefined): string {
  return `[tool: ${name ?? 'unnamed'}]`
}

/** The text of one message, given as a string or as parts. */
function readMessageText(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content : [content]
  return parts
    .map(readPart)
    .filter((part) => part !== '')
    .join('\n')
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part
  const fields = toFields(part)
  if (!fields) return ''
  const call = toFields(fields['functionCall'])
  if (call) return toolMark(findText(call, ['name']))
  if (hiddenMarks.some((mark) => fields[mark] === true)) return ''
  // A part of this type is a call together with its result.
  if (isToolCall(fields) || fields['type'] === 'tool') return toolMark(nameOfTool(fields))
  const type = typeOf(fields)
  if (type !== undefined && !textTypes.includes(type)) return ''
  return findText(fields, ['text', 'content']) ?? ''
}

function isToolCall(fields: Fields): boolean {
  return toolCalls.includes(typeOf(fields) ?? '')
}

function typeOf({ type }: Fields): string | undefined {
  return typeof type === 'string' ? type.toLowerCase() : undefined
}

function nameOfTool(fields: Fields): string | undefined {
  const functionFields = toFields(fields['function'])
  return (
    findText(fields, ['name', 'toolName', 'tool_name', 'tool']) ??
    (functionFields && findText(functionFields, ['name']))
  )
}

const users = ['user', 'human', 'client']
const assistants = ['assistant', 'agent', 'model', 'ai', 'gemini']
/** Not part of the conversation. */
const ignoredRoles = [
  'system',
  'developer',
  'tool',
  'toolresult',
  'function',
  'ipython',
  'environment',
]

/** Undefined for other speakers. */
function readRole(role: string): Role | undefined {
  const name = role.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (users.includes(name)) return 'user'
  if (assistants.includes(name)) return 'assistant'
  return ignoredRoles.includes(name) || name === '' ? undefined : 'unknown'
}

export type Fields = Readonly<Record<string, unknown>>

export function toFields(value: unknown): Fields | undefined {
  return isMapping(value) ? value : undefined
}

/** The first non-blank text among these fields. */
function findText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}
