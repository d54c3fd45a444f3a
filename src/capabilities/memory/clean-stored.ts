import type { TextRows } from '../../kernel/db/rewrite-texts.ts'
import { clean } from '../../kernel/hygiene/clean.ts'
import { cleanStoredText } from '../../kernel/hygiene/clean-text.ts'
import { createRowsTask, type UpgradeTask } from '../../kernel/jobs/upgrade-tasks.ts'
import type { MemoryNeeds } from './needs.ts'

/** Reasons, and names of fields of evidence: earlier versions stored them before they were cleaned. */
function listStoredTexts({
  hygiene,
}: Pick<MemoryNeeds, 'hygiene'>): readonly (TextRows & { readonly id: string })[] {
  const toReason = (reason: string | null = null) =>
    reason === null ? null : cleanStoredText(reason)
  const toEvidence = (evidence: string | null = null) => {
    if (evidence === null) return null
    const mode = hygiene() === 'off' ? 'off' : 'redact'
    return JSON.stringify(clean(JSON.parse(evidence), mode).value)
  }
  return [
    {
      ...{ id: 'clean-memory-evidence', table: 'memories', keys: ['id'] },
      columns: ['evidence', 'superseded_reason'],
      rewrite: ([evidence, reason]) => [toEvidence(evidence), toReason(reason)],
    },
    {
      ...{ id: 'clean-memory-reasons', table: 'memory_history', keys: ['position'] },
      columns: ['reason'],
      rewrite: ([reason]) => [toReason(reason)],
    },
  ]
}

export function createCleaningTasks(
  needs: Pick<MemoryNeeds, 'db' | 'hygiene'>,
): readonly UpgradeTask[] {
  return listStoredTexts(needs).map((rows) => createRowsTask(needs.db, rows))
}
