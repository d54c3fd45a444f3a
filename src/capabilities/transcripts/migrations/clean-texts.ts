import type { Migration } from '../../../kernel/db/migrations.ts'
import { rewriteTexts } from '../../../kernel/db/rewrite-texts.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'

const texts = [
  { table: 'session_summaries', keys: ['agent_id', 'id'], columns: ['content'] },
  { table: 'memory_thread_heads', keys: ['agent_id', 'thread_key'], columns: ['sample'] },
  { table: 'memory_artifacts', keys: ['agent_id', 'source_path'], columns: ['memory_sentence'] },
] as const

/** Earlier versions stored texts without cleaning. */
export const cleanTexts: Migration = {
  id: '20261123T0110-clean-session-texts',
  changesData: true,
  up: async (db) => {
    for (const rows of texts)
      await rewriteTexts(db, { ...rows, rewrite: ([text]) => [text ? toCleanText(text) : null] })
    await rewriteTexts(db, {
      table: 'session_checkpoints',
      keys: ['id'],
      columns: ['digest', 'memory_queries', 'recent_remembers'],
      rewrite: ([digest, queries, remembers]) => [
        toCleanText((digest ?? '').replaceAll(queryLine, '')),
        queries === null ? null : '[]',
        remembers ? cleanList(remembers) : null,
      ],
    })
  },
}

/** Split words of a credential are not recognized, so all earlier query words are deleted. */
const queryLine = /^Queries: .*\n?/gm

function cleanList(list: string): string {
  return JSON.stringify((JSON.parse(list) as string[]).map(toCleanText))
}
