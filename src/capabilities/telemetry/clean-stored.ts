import type { Db } from '../../kernel/db/database.ts'
import type { TextRows } from '../../kernel/db/rewrite-texts.ts'
import { createRowsTask, type UpgradeTask } from '../../kernel/jobs/upgrade-tasks.ts'
import { cleanStoredText } from '../../kernel/redaction/clean-text.ts'

/** Searches that earlier versions stored without redaction. */
const storedSearches: readonly (TextRows & { readonly id: string })[] = [
  {
    id: 'clean-searches',
    table: 'memory_search_telemetry',
    keys: ['id'],
    columns: ['query', 'keyword_query', 'filters'],
    rewrite: ([query, words, filters]) => {
      const clean = cleanStoredText(query ?? '')
      // A split credential is not recognized.
      const isRedacted = clean !== query || clean.includes('[REDACTED]')
      const cleanWords = isRedacted ? null : cleanStoredText(words ?? '')
      return [
        clean,
        words === null ? null : cleanWords,
        JSON.stringify(JSON.parse(filters ?? '{}', cleanValue)),
      ]
    },
  },
  {
    id: 'clean-search-results',
    table: 'memory_search_telemetry_results',
    keys: ['search_id', 'rank'],
    columns: ['content'],
    rewrite: ([content]) => [content == null ? null : cleanStoredText(content)],
  },
]

function cleanValue(_: string, value: unknown): unknown {
  return typeof value === 'string' ? cleanStoredText(value) : value
}

export function createCleaningTasks(db: Db): readonly UpgradeTask[] {
  return storedSearches.map((rows) => createRowsTask(db, rows))
}
