export type MessageRole = 'user' | 'assistant' | 'system' | 'tool' | 'unknown'

export interface Message {
  readonly role: MessageRole
  readonly content: string
}

/** One conversation of a foreign export. */
export interface Conversation {
  /** Its id in the program that wrote it. */
  readonly id: string
  readonly project: string | null
  /** ISO in UTC: when it began. */
  readonly timestamp: string
  readonly messages: readonly Message[]
  /** Messages of branches that the user left. */
  readonly omitted: number
}

export type Fields = Readonly<Record<string, unknown>>

export function toFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Seconds since 1970 or an ISO text. Undefined for anything else. */
export function toTimestamp(value: unknown): string | undefined {
  const isTime = typeof value === 'number' || toText(value) !== undefined
  const date = new Date(typeof value === 'number' ? value * 1000 : String(value))
  return isTime && !Number.isNaN(date.getTime()) ? date.toISOString() : undefined
}

const roles: Readonly<Record<string, MessageRole>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  model: 'assistant',
  gemini: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
}

export function toRole(name: unknown): MessageRole {
  return roles[String(name).toLowerCase()] ?? 'unknown'
}

/** The text of blocks such as `{type: 'text', text}`; other blocks have no words. */
export function readBlocks(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = toList(content).flatMap((block) => {
    if (typeof block === 'string') return [block]
    const { type, text } = toFields(block) ?? {}
    const isText = type === undefined || /^(input_|output_)?text$/.test(String(type))
    return isText && typeof text === 'string' ? [text] : []
  })
  return texts.join('\n')
}

/** Undefined without words, without an id or without a time. */
export function toConversation(
  id: unknown,
  timestamp: string | undefined,
  messages: readonly Message[],
  more: Partial<Pick<Conversation, 'project' | 'omitted'>> = {},
): Conversation | undefined {
  const name = toText(id)
  const nonEmpty = messages.filter(({ content }) => content.trim() !== '')
  if (!name || !timestamp || nonEmpty.length === 0) return undefined
  return { id: name, timestamp, messages: nonEmpty, project: null, omitted: 0, ...more }
}
