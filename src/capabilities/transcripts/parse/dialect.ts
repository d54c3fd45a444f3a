import { settleClaude } from './claude.ts'
import { hearCodex } from './codex.ts'
import { hearCursor } from './cursor.ts'
import type { Fields } from './fields.ts'
import { settleGemini } from './gemini.ts'
import type { Told } from './record.ts'

/** What one harness writes unlike all others. */
export interface Dialect {
  /** Whether it keeps a conversation as one indented document, of which the newest part may be all there is. */
  readonly isDocument?: boolean
  /** Which of its records stand in the end. */
  settle?(records: readonly Fields[]): readonly Fields[]
  /** What of it was said. */
  hear?(told: readonly Told[]): readonly Told[]
}

const dialects = new Map<string, Dialect>([
  ['claude', { settle: settleClaude }],
  ['codex', { hear: hearCodex }],
  ['cursor', { hear: hearCursor }],
  ['gemini', { settle: settleGemini, isDocument: true }],
  ['opencode', { isDocument: true }],
])

/** `gemini-cli` writes as `gemini` does, `claude-code` as `claude`. */
export function dialectOf(harness: string): Dialect {
  return dialects.get(harness.toLowerCase().replace(/-.*/, '')) ?? {}
}
