import type { Migration } from '../../../kernel/db/migrations.ts'
import { rewriteColumn } from '../../../kernel/db/rewrite-column.ts'
import { toCleanText } from '../../../kernel/hygiene/clean-text.ts'

const texts = [
  { table: 'session_summaries', keys: ['agent_id', 'id'], column: 'content' },
  { table: 'memory_thread_heads', keys: ['agent_id', 'thread_key'], column: 'sample' },
  { table: 'memory_artifacts', keys: ['agent_id', 'source_path'], column: 'memory_sentence' },
] as const
const checkpoints = { table: 'session_checkpoints', keys: ['agent_id', 'id'] } as const

/** Texts of earlier versions were stored before they were cleaned. */
export const cleanTexts: Migration = {
  id: '20261123T0110-clean-session-texts',
  changesData: true,
  up: async (db) => {
    for (const column of texts) await rewriteColumn(db, column, (text) => toCleanText(text))
    await rewriteColumn(db, { ...checkpoints, column: 'digest' }, (digest) =>
      toCleanText(digest.replaceAll(queryLine, '')),
    )
    for (const column of ['memory_queries', 'recent_remembers'])
      await rewriteColumn(db, { ...checkpoints, column }, (list) =>
        column === 'memory_queries' ? '[]' : cleanList(list),
      )
    await rewriteColumn(
      db,
      { table: 'memory_artifacts', keys: ['agent_id', 'source_path'], column: 'content' },
      (content, path) =>
        /--(summary|compaction)\.md$/.test(path) ? toCleanText(content) : content,
    )
  },
}

/** Words of a credential are not recognised once they are split, so no earlier query words stay. */
const queryLine = /^Queries: .*\n?/gm

function cleanList(list: string): string {
  return JSON.stringify((JSON.parse(list) as string[]).map(toCleanText))
}
