/** What the harnesses say in common; each field is a text with something in it. */
export interface Payload {
  readonly sessionKey?: string
  readonly project?: string
  readonly prompt?: string
  readonly lastAssistantMessage?: string
  readonly source?: string
  readonly reason?: string
  readonly summary?: string
  readonly transcript?: string
  readonly transcriptPath?: string
  readonly parentSessionKey?: string
  readonly harnessAgentId?: string
}

/** Each field with the names that harnesses have for it; the first that says something is taken. */
const names: Readonly<Record<keyof Payload, readonly string[]>> = {
  sessionKey: ['sessionKey', 'session_id', 'sessionId', 'sessionID', 'conversation_id'],
  project: ['project', 'cwd', 'directory', 'workspace_roots'],
  prompt: ['prompt', 'userMessage', 'userPrompt', 'user_prompt'],
  lastAssistantMessage: ['lastAssistantMessage', 'last_assistant_message', 'prompt_response'],
  source: ['source'],
  reason: ['reason'],
  summary: ['summary', 'compact_summary'],
  transcript: ['transcript'],
  transcriptPath: ['transcriptPath', 'transcript_path'],
  parentSessionKey: ['parentSessionKey', 'parent_session_id'],
  harnessAgentId: ['harnessAgentId', 'agent_id'],
}

export function toPayload(input: object): Payload {
  const fields: Readonly<Record<string, unknown>> = { ...input }
  const read = Object.entries(names).map(([field, spellings]) => [
    field,
    spellings.map((name) => toText(fields[name])).find((text) => text !== undefined),
  ])
  return Object.fromEntries(read.filter(([, text]) => text !== undefined))
}

/** A list stands for its first entry. */
function toText(value: unknown): string | undefined {
  const text: unknown = Array.isArray(value) ? value[0] : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
