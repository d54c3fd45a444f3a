import type { MessagePart, ModelMessage, TargetCall } from './target.ts'

/** A line that would open a block of its own. */
const blockStart = /^(?=(?:SYSTEM|USER|ASSISTANT|TOOL):)/gm

/** One text for a program: a `ROLE:` line and the content for each message. */
export function flatten({ messages, responseFormat }: TargetCall): string {
  const format = responseFormat && [toBlock('system', formatRule(responseFormat.schema))]
  return [...messages.map(toMessageBlock), ...(format ?? [])].join('\n\n')
}

function formatRule(schema: unknown): string {
  const rule = 'Answer with one JSON value, without any other text.'
  return schema ? `${rule} It matches this JSON Schema: ${JSON.stringify(schema)}` : rule
}

function toMessageBlock({ role, content }: ModelMessage): string {
  const text = typeof content === 'string' ? content : content.map(toText).join('\n')
  return toBlock(role, text.replaceAll(blockStart, '> '))
}

function toBlock(role: string, text: string): string {
  return `${role.toUpperCase()}:\n${text}`
}

function toText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call':
      return `Called ${part.toolName} with ${part.arguments}`
    case 'tool-result':
      return `Result of ${part.toolName}: ${part.result}`
    case 'image':
      return '[image]'
  }
}
