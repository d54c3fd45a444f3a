import { Refusal } from '../../kernel/errors/refusal.ts'
import type { MessagePart, ModelMessage } from '../inference/index.ts'
import { invalidField, unsupported } from './refusals.ts'
import type { WireMessage, WirePart } from './schemas.ts'

const maxChars = 200_000
const imageUrl = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/

type Role = ModelMessage['role']
const roles: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  tool: 'tool',
}

interface Source {
  readonly message: WireMessage
  readonly at: string
  /** The tool of each earlier call, by the id of the call. */
  readonly tools: Map<string, string>
}

/** Drops blank messages. Refuses an unknown part, an image that is not sent along, and no text. */
export function toMessages(messages: readonly WireMessage[]): readonly ModelMessage[] {
  const tools = new Map<string, string>()
  const parts = messages.flatMap((message, index): ModelMessage[] => {
    const content = toContent({ message, at: `messages.${index}`, tools })
    return isBlank(content) ? [] : [{ role: toRole(message), content }]
  })
  if (parts.length === 0) throw invalidField('messages', 'No message has a text.')
  if (countChars(parts) > maxChars) {
    const message = `The messages have more than ${maxChars} characters.`
    throw new Refusal('too_large', 'prompt_too_large', message, { maxChars })
  }
  return parts
}

function toRole({ role }: WireMessage): Role {
  return roles[role ?? ''] ?? 'user'
}

function toContent(source: Source): readonly MessagePart[] {
  const { message, at } = source
  const { content } = message
  const role = toRole(message)
  if (role === 'tool') return [toToolResult(source)]
  const parts =
    typeof content === 'string'
      ? [{ type: 'text', text: content } as const]
      : (content ?? []).map((part, index) => toPart(part, `${at}.content.${index}`))
  return role === 'assistant' ? [...parts, ...toToolCalls(source)] : parts
}

function toPart(part: WirePart, at: string): MessagePart {
  const { type, text, refusal, image_url: image } = part
  if (type === 'text' && text !== undefined) return { type, text }
  if (type === 'refusal' && refusal !== undefined) return { type: 'text', text: refusal }
  if (type === 'image_url' && image) return toImage(image.url, `${at}.image_url.url`)
  throw unsupported(at, `Parts of type "${type.slice(0, 40)}" are not supported.`)
}

function toImage(url: string, at: string): MessagePart {
  const [, mediaType, data] = imageUrl.exec(url) ?? []
  if (mediaType && data) return { type: 'image', mediaType, data }
  const message = 'Send an image as a data: URL of type png, jpeg, gif or webp. No URL is fetched.'
  throw unsupported(at, message)
}

function toToolCalls({ message, tools }: Source): readonly MessagePart[] {
  return (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => {
    tools.set(id, name)
    return { type: 'tool-call', toolCallId: id, toolName: name, arguments: text }
  })
}

function toToolResult({ message, at, tools }: Source): MessagePart {
  const { tool_call_id: id = '', content } = message
  const toolName = tools.get(id)
  if (toolName === undefined)
    throw invalidField(`${at}.tool_call_id`, 'No earlier message has a tool call of this id.')
  const result =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part, index) => textOf(part, `${at}.content.${index}`)).join('\n')
  return { type: 'tool-result', toolCallId: id, toolName, result }
}

function textOf({ type, text }: WirePart, at: string): string {
  if (type === 'text' && text !== undefined) return text
  throw unsupported(at, 'The result of a tool contains parts of type "text" only.')
}

function isBlank(content: readonly MessagePart[]): boolean {
  return content.every((part) => part.type === 'text' && part.text.trim() === '')
}

export function hasImage(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  )
}

/** Texts, arguments and results; images are limited by the size of the body. */
export function countChars(messages: readonly ModelMessage[]): number {
  const lengths = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [content.length] : content.map(lengthOf),
  )
  return lengths.reduce((sum, length) => sum + length, 0)
}

function lengthOf(part: MessagePart): number {
  switch (part.type) {
    case 'text':
      return part.text.length
    case 'tool-call':
      return part.arguments.length
    case 'tool-result':
      return part.result.length
    case 'image':
      return 0
  }
}

/** The text of the last message of the user, for the classification of the request. */
export function lastUserText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user')
  const content = last?.content ?? ''
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
