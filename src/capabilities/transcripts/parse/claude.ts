import type { Fields } from './fields.ts'

const turnTypes = ['user', 'assistant']

/**
 * Of Claude Code's session file only turns count. Lines of other types repeat requests, among them
 * `api-request-blob` with a message inside. A record without a type comes from another writer.
 */
export function selectClaudeRecords(records: readonly Fields[]): readonly Fields[] {
  return records.filter(({ type }) => type === undefined || turnTypes.includes(String(type)))
}
