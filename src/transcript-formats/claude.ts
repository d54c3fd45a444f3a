import {
  type Conversation,
  type Message,
  readBlocks,
  toConversation,
  toFields,
  toList,
  toRole,
  toText,
  toTimestamp,
} from './conversation.ts'

/** One element of `conversations.json` of a Claude export: a list of messages. */
export function readClaude(element: unknown): Conversation | undefined {
  const { uuid, created_at: createdAt, chat_messages: messages } = toFields(element) ?? {}
  return toConversation(uuid, toTimestamp(createdAt), toList(messages).map(readMessage))
}

function readMessage(value: unknown): Message {
  const { sender, text, content } = toFields(value) ?? {}
  return { role: toRole(sender), content: toText(text) ?? readBlocks(content) }
}
