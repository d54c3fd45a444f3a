import { type Fields, findText, toFields } from './fields.ts'

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
export function readMessageText(content: unknown): string {
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

export function isToolCall(fields: Fields): boolean {
  return toolCalls.includes(typeOf(fields) ?? '')
}

function typeOf({ type }: Fields): string | undefined {
  return typeof type === 'string' ? type.toLowerCase() : undefined
}

export function nameOfTool(fields: Fields): string | undefined {
  const called = toFields(fields['function'])
  return (
    findText(fields, ['name', 'toolName', 'tool_name', 'tool']) ??
    (called && findText(called, ['name']))
  )
}
