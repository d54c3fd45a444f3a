import type { Readable } from 'node:stream'
import { HookSkipped } from './environment.ts'

/** A harness may keep stdin open after its payload. */
const maxWaitMs = 1000
const maxBytes = 8 * 1_048_576

/** Reads one JSON object and stops at its end; `{}` for empty input. */
export async function readStdin(stdin: Readable & { isTTY?: boolean }): Promise<object> {
  if (stdin.isTTY) return {}
  const chunks: Buffer[] = []
  const parsed = Promise.withResolvers<object>()
  const settle = (isOver: boolean) => {
    const object = toObject(chunks, isOver)
    if (object) parsed.resolve(object)
    else if (isOver) parsed.reject(new HookSkipped('no_input', 'stdin contains no JSON object'))
  }
  const bytesSoFar = () => chunks.reduce((sum, { length }) => sum + length, 0)
  stdin.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    settle(bytesSoFar() > maxBytes)
  })
  stdin.on('end', () => settle(true))
  stdin.on('error', () => settle(true))
  // After a delay of this process, pending input is read first.
  const timer = setTimeout(() => setImmediate(() => settle(true)), maxWaitMs)
  try {
    return await parsed.promise
  } finally {
    clearTimeout(timer)
    stdin.removeAllListeners('data').pause()
  }
}

function toObject(chunks: readonly Buffer[], isOver: boolean): object | undefined {
  const last = chunks.at(-1)?.toString('utf8').trimEnd()
  // A text without a closing brace is incomplete. Skipping it avoids one parse for each chunk.
  if (!isOver && !last?.endsWith('}')) return undefined
  const text = Buffer.concat(chunks).toString('utf8').trim()
  if (text === '') return isOver ? {} : undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? parsed
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The common fields of all harnesses. Fields are never blank. */
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

/** Names of each field in order of precedence. */
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

/** Reads the first entry of a list. */
function toText(value: unknown): string | undefined {
  const text: unknown = Array.isArray(value) ? value[0] : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
