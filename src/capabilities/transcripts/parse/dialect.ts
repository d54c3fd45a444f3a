import { selectClaudeRecords } from './claude.ts'
import { selectCodexTurns } from './codex.ts'
import { cleanCursorTurns } from './cursor.ts'
import type { Fields } from './fields.ts'
import { replayGeminiLog } from './gemini.ts'
import type { RawTurn } from './record.ts'

/** The differences of one harness format. */
export interface Dialect {
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
