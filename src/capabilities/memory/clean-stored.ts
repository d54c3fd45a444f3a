import type { TextRows } from '../../kernel/db/rewrite-texts.ts'
import { createRowsTask, type UpgradeTask } from '../../kernel/jobs/upgrade-tasks.ts'
import { cleanStoredText } from '../../kernel/redaction/clean-text.ts'
import { redactContent } from '../../kernel/redaction/redact-content.ts'
import type { MemoryNeeds } from './needs.ts'

/** Reasons, and names of fields of evidence: earlier versions stored them before they were cleaned. */
function listStoredTexts({
  secretPolicy,
}: Pick<MemoryNeeds, 'secretPolicy'>): readonly (TextRows & { readonly id: string })[] {
  const toReason = (reason: string | null = null) =>
    reason === null ? null : cleanStoredText(reason)
  const toEvidence = (evidence: string | null = null) => {
    if (evidence === null) return null
    const mode = secretPolicy() === 'off' ? 'off' : 'redact'
    return JSON.stringify(redactContent(JSON.parse(evidence), mode).value)
  }
  return [
    {
      id: 'clean-memory-evidence',
      table: 'memories',
      keys: ['id'],
      columns: ['evidence', 'superseded_reason'],
      rewrite: ([evidence, reason]) => [toEvidence(evidence), toReason(reason)],
    },
    {
      id: 'clean-memory-reasons',
      table: 'memory_history',
      keys: ['position'],
      columns: ['reason'],
      rewrite: ([reason]) => [toReason(reason)],
    },
  ]
}

export function createCleaningTasks(
  needs: Pick<MemoryNeeds, 'db' | 'secretPolicy'>,
): readonly UpgradeTask[] {
  return listStoredTexts(needs).map((rows) => createRowsTask(needs.db, rows))
}
