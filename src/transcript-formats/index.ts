import { readChatgpt } from './chatgpt.ts'
import { readClaude } from './claude.ts'
import { type Conversation, type Fields, toFields } from './conversation.ts'
import { readClaudeCode, readCodex, readGemini } from './session-files.ts'

export type { Conversation } from './conversation.ts'

/** Exports whose file is one list of conversations. */
export const listFormats = { chatgpt: readChatgpt, claude: readClaude } as const

/** Programs that write one file for each session. */
export const sessionFormats = {
  'claude-code': readClaudeCode,
  codex: readCodex,
  gemini: (records: readonly Fields[], name: string) => readGemini(records[0] ?? {}, name),
} as const

export type ListFormat = keyof typeof listFormats
export type SessionFormat = keyof typeof sessionFormats

/** The format of an element of a list; undefined for an unknown one. */
export function detectListFormat(element: unknown): ListFormat | undefined {
  const fields = toFields(element) ?? {}
  if ('mapping' in fields) return 'chatgpt'
  return 'chat_messages' in fields ? 'claude' : undefined
}

/** The format of the records of one file; `svc` is the own export. */
export function detectRecordFormat(records: readonly Fields[]): SessionFormat | 'svc' | undefined {
  const has = (...names: readonly string[]) =>
    records.some((record) => names.every((name) => name in record))
  if (has('source', 'session_key', 'messages')) return 'svc'
  if (has('type', 'message', 'sessionId')) return 'claude-code'
  if (has('type', 'payload')) return 'codex'
  return has('sessionId', 'messages') ? 'gemini' : undefined
}

/** A line of `svc-export`, version 1. */
export function toExportLine(
  { id, project, timestamp, messages }: Conversation,
  { from, agentId, suffix = '' }: { from: string; agentId: string; suffix?: string },
): string {
  return JSON.stringify({
    id,
    source: 'svc',
    harness: from,
    agent_id: agentId,
    session_key: `${from}:${id}${suffix}`,
    project,
    timestamp,
    message_count: messages.length,
    messages,
  })
}
