import type { Turn } from '../transcript.ts'
import { type Fields, type RawTurn, toFields, toolMark } from './record.ts'

/** The differences of one harness format. */
interface Dialect {
  /** Whether a conversation is one indented document, which may lack its beginning. */
  readonly isDocument?: boolean
  /** Selects the final records. */
  selectRecords?(records: readonly Fields[]): readonly Fields[]
  /** Selects or cleans turns. */
  selectTurns?(turns: readonly RawTurn[]): readonly RawTurn[]
}

const dialects = new Map<string, Dialect>([
  ['claude', { selectRecords: selectClaudeRecords }],
  ['codex', { selectTurns: selectCodexTurns }],
  ['cursor', { selectTurns: cleanCursorTurns }],
  ['gemini', { selectRecords: replayGeminiLog, isDocument: true }],
  ['opencode', { isDocument: true }],
])

/** `gemini-cli` writes as `gemini` does, `claude-code` as `claude`. */
export function dialectOf(harness: string): Dialect {
  return dialects.get(harness.toLowerCase().replace(/-.*/, '')) ?? {}
}

const turnTypes = ['user', 'assistant']

/**
 * Of Claude Code's session file only turns count. Lines of other types repeat requests, among them
 * `api-request-blob` with a message inside. A record without a type comes from another writer.
 */
function selectClaudeRecords(records: readonly Fields[]): readonly Fields[] {
  return records.filter(({ type }) => type === undefined || turnTypes.includes(String(type)))
}

/** Codex records most turns twice: completed items take precedence over events, events over messages. */
function selectCodexTurns(turns: readonly RawTurn[]): readonly RawTurn[] {
  const bestOf = (role: Turn['role'], origins: readonly RawTurn['origin'][]) =>
    origins.find((origin) => turns.some((turn) => turn.role === role && turn.origin === origin))
  const origins = ['completed', 'event', 'message'] as const
  const user = bestOf('user', origins)
  const assistant = bestOf('assistant', origins)
  return turns.filter(({ role, origin }) => origin === (role === 'user' ? user : assistant))
}

/** User text is inside this tag, between attached files and reminders. */
const query = { open: '<user_query>', close: '</user_query>' } as const
const section = /^\[(?<kind>Thinking|Tool call|Tool result)\][ \t]*(?<name>\S*)/i

function cleanCursorTurns(turns: readonly RawTurn[]): readonly RawTurn[] {
  return turns.map((turn) => ({
    ...turn,
    text: turn.role === 'user' ? unwrap(turn.text) : dropSections(turn.text),
  }))
}

function unwrap(text: string): string {
  const queries = text
    .split(query.open)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf(query.close)
      return end === -1 ? [] : [part.slice(0, end)]
    })
  return queries.length > 0 ? queries.join('\n') : text
}

/** The older text format mixes reasoning, calls and results with the assistant text. */
function dropSections(text: string): string {
  const lines: string[] = []
  let skipped: 'call' | 'result' | undefined
  for (const line of text.split('\n')) {
    const { kind, name } = section.exec(line)?.groups ?? {}
    const itemKind = kind?.toLowerCase()
    if (itemKind === 'tool call') lines.push(toolMark(name))
    if (itemKind !== undefined) skipped = skippedAfter(itemKind)
    else if (skipped === 'call' && /^\S/.test(line)) skipped = undefined
    if (itemKind === undefined && skipped === undefined) lines.push(line)
  }
  return lines.join('\n')
}

/** Call arguments are indented; a result extends to the next section or turn. */
function skippedAfter(section: string): 'call' | 'result' | undefined {
  if (section === 'thinking') return undefined
  return section === 'tool call' ? 'call' : 'result'
}

/** Replays the change log: a repeated record replaces the earlier one; a rewind drops later records. */
function replayGeminiLog(records: readonly Fields[]): readonly Fields[] {
  const log = createLog()
  for (const record of records) {
    const set = toFields(record['$set'])
    if (record['$rewindTo'] !== undefined) log.rewind(record['$rewindTo'])
    else if (Array.isArray(set?.['messages'])) {
      log.rewind(undefined)
      for (const message of set['messages']) log.put(toFields(message) ?? {})
    } else if (!set) log.put(record)
  }
  return log.messages
}

function createLog() {
  const messages: Fields[] = []
  const indexes = new Map<unknown, number>()
  const indexOf = (id: unknown) => {
    const index = indexes.get(id)
    return index !== undefined && messages[index]?.['id'] === id ? index : undefined
  }
  return {
    messages,
    /** Messages without an id are never replaced. */
    put: (message: Fields) => {
      const { id } = message
      const index = (id === undefined ? undefined : indexOf(id)) ?? messages.length
      indexes.set(id, index)
      messages[index] = message
    },
    /** Drops the given message and all later ones; an unknown id drops everything. */
    rewind: (id: unknown) => {
      messages.length = indexOf(id) ?? 0
    },
  }
}
