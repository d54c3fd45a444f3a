import type { Migration } from '../../kernel/db/migrations.ts'
import { rewriteTexts } from '../../kernel/db/rewrite-texts.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { Window } from './window.ts'

export const sessionsMigrations: readonly Migration[] = [
  {
    id: '20261121T1700-sessions',
    up: async ({ schema }) => {
      await schema
        .createTable('session_claims')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('runtime_path', 'text')
        .addColumn('harness', 'text')
        .addColumn('project', 'text')
        .addColumn('claimed_at', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'text', (column) => column.notNull())
        .addColumn('ended_at', 'text')
        .addColumn('end_marker', 'text')
        .addColumn('warned', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_claims_key', ['agent_id', 'session_key'])
        .execute()
      await schema
        .createIndex('session_claims_by_expiry')
        .on('session_claims')
        .columns(['state', 'expires_at'])
        .execute()
      await schema
        .createTable('session_presence')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text')
        .addColumn('harness', 'text', (column) => column.notNull())
        .addColumn('project', 'text')
        .addColumn('runtime_path', 'text')
        .addColumn('provider', 'text')
        .addColumn('started_at', 'text', (column) => column.notNull())
        .addColumn('last_seen_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_presence_key', ['agent_id', 'key'])
        .execute()
      await schema
        .createIndex('session_presence_by_age')
        .on('session_presence')
        .column('last_seen_at')
        .execute()
      await schema
        .createTable('session_bypasses')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_bypasses_key', ['agent_id', 'session_key'])
        .execute()
    },
  },
  {
    id: '20261121T1720-session-continuity',
    up: async ({ schema }) => {
      await schema
        .createTable('session_windows')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addColumn('updated_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_windows_key', ['agent_id', 'session_key'])
        .execute()
      await schema
        .createIndex('session_windows_by_age')
        .on('session_windows')
        .column('updated_at')
        .execute()
      await schema
        .createTable('session_starts')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('harness', 'text', (column) => column.notNull())
        .addColumn('project', 'text', (column) => column.notNull())
        .addColumn('daemon_id', 'text', (column) => column.notNull())
        .addColumn('started_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_starts_key', [
          ...(['agent_id', 'session_key', 'harness', 'project'] as const),
        ])
        .execute()
      await schema
        .createIndex('session_starts_by_age')
        .on('session_starts')
        .column('started_at')
        .execute()
    },
  },
  {
    id: '20261121T1721-session-scores',
    up: async ({ schema }) => {
      await schema
        .createTable('session_memories')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('memory_id', 'text', (column) => column.notNull())
        .addColumn('rank', 'integer', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('score', 'double precision', (column) => column.notNull())
        .addColumn('was_injected', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_memories_key', ['agent_id', 'session_key', 'memory_id'])
        .execute()
      await schema
        .createIndex('session_memories_by_age')
        .on('session_memories')
        .column('created_at')
        .execute()
      await schema
        .createTable('session_scores')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('project', 'text')
        .addColumn('harness', 'text', (column) => column.notNull())
        .addColumn('score', 'double precision', (column) => column.notNull())
        .addColumn('memories_recalled', 'integer', (column) => column.notNull())
        .addColumn('memories_used', 'integer', (column) => column.notNull())
        .addColumn('novel_context_count', 'integer', (column) => column.notNull())
        .addColumn('reasoning', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('session_scores_recent')
        .on('session_scores')
        .columns(['agent_id', 'created_at', 'id'])
        .execute()
      await schema
        .createIndex('session_scores_by_age')
        .on('session_scores')
        .column('created_at')
        .execute()
    },
  },
  {
    id: '20261123T0111-clean-session-windows',
    changesData: true,
    up: (db) =>
      rewriteTexts(db, {
        table: 'session_windows',
        keys: ['agent_id', 'session_key'],
        columns: ['content'],
        rewrite: ([content]) => [content ? cleanWindow(content) : null],
      }),
  },
  {
    id: '20261123T2105-session-bypass-marks',
    up: async ({ schema }) => {
      await schema
        .createTable('session_bypass_marks')
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_bypass_marks_key', ['agent_id', 'session_key'])
        .execute()
    },
  },
]

/** Split words of a credential are not recognized, so all earlier query words are deleted. */
function cleanWindow(content: string): string {
  const window: Window = JSON.parse(content)
  const [snippets, remembers] = [window.snippets, window.remembers].map((texts) =>
    texts.map((text) => toCleanText(text)),
  )
  return JSON.stringify({ ...window, snippets, remembers, queries: [] })
}
