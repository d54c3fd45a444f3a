import {
  type Conversation,
  type Fields,
  type Message,
  readBlocks,
  toConversation,
  toFields,
  toList,
  toRole,
  toText,
  toTimestamp,
} from './conversation.ts'

/** Claude Code sets one of them on its own notes, turns of sub-agents and summaries. */
const ownMarks = ['isMeta', 'isSidechain', 'isCompactSummary']

/** The records of a session file of Claude Code; `name` is the file name without its extension. */
export function readClaudeCode(records: readonly Fields[], name: string): Conversation | undefined {
  const turns = records.filter(
    (record) =>
      ['user', 'assistant'].includes(String(record['type'])) &&
      !ownMarks.some((mark) => record[mark] === true),
  )
  const messages = turns.map(({ type, message }): Message => {
    return { role: toRole(type), content: readBlocks(toFields(message)?.['content']) }
  })
  const [first] = turns
  return toConversation(first?.['sessionId'] ?? name, toTimestamp(first?.['timestamp']), messages, {
    project: toText(first?.['cwd']) ?? null,
  })
}

/** The records of a session file of Codex. Events repeat the messages. */
export function readCodex(records: readonly Fields[], name: string): Conversation | undefined {
  const payloads = records.map((record) => toFields(record['payload']) ?? record)
  const meta = records.find(({ type }) => type === 'session_meta')
  const about = toFields(meta?.['payload']) ?? {}
  const messages = payloads.flatMap((payload): readonly Message[] => {
    if (payload['type'] !== 'message') return []
    const content = readBlocks(payload['content'])
    // Codex adds its instructions and the environment as messages of the user.
    return /^<(user_instructions|environment_context|permissions|INSTRUCTIONS)/.test(content)
      ? []
      : [{ role: toRole(payload['role']), content }]
  })
  return toConversation(
    about['id'] ?? name,
    toTimestamp(about['timestamp'] ?? records[0]?.['timestamp']),
    messages.filter(({ role }) => role !== 'system'),
    { project: toText(about['cwd']) ?? null },
  )
}

/** A session file of Gemini CLI: one document with all messages. */
export function readGemini(document: Fields, name: string): Conversation | undefined {
  const { sessionId = name, startTime, messages } = document
  const read = toList(messages).map((value): Message => {
    const { type, role, content, parts } = toFields(value) ?? {}
    return { role: toRole(role ?? type), content: readBlocks(content ?? parts) }
  })
  return toConversation(sessionId, toTimestamp(startTime), read)
}
