import type { Migration } from '../../kernel/db/migrations.ts'
import {
  addValidity,
  createSearchTables,
  indexSessionsByOwner,
  indexSpeakers,
  lightenTerms,
} from '../../search/index.ts'

/** For the timeline of a session, which reads recalls by agent and session. */
const indexOwners = `create index session_recall_events_by_owner
  on session_recall_events (agent_id, coalesce(owner_session_key, session_key))`

export const recallMigrations: readonly Migration[] = [
  {
    id: '20261121T1500-recall-ledger',
    up: async ({ schema }) => {
      await schema
        .createTable('session_context_epochs')
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('epoch', 'integer', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('source_ref', 'text')
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_context_epochs_key', ['session_key', 'agent_id', 'epoch'])
        .execute()
      await schema
        .createIndex('session_context_epochs_by_age')
        .on('session_context_epochs')
        .column('created_at')
        .execute()
      await schema
        .createTable('session_recall_events')
        .addColumn('session_key', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('context_epoch', 'integer', (column) => column.notNull())
        .addColumn('item_kind', 'text', (column) => column.notNull())
        .addColumn('item_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('session_recall_events_key', [
          'session_key',
          'agent_id',
          'context_epoch',
          'item_kind',
          'item_id',
        ])
        .execute()
      await schema
        .createIndex('session_recall_events_by_age')
        .on('session_recall_events')
        .column('created_at')
        .execute()
    },
  },
  {
    id: '20261121T1715-recall-surfaces',
    up: async ({ schema }) => {
      for (const column of ['surface', 'mode', 'source'])
        await schema.alterTable('session_recall_events').addColumn(column, 'text').execute()
      await schema
        .alterTable('session_recall_events')
        .addColumn('score', 'double precision')
        .execute()
    },
  },
  // SQLite databases are searched in memory.
  { id: '20261121T1930-recall-search', sqlite: [], postgres: createSearchTables },
  { id: '20261121T2355-recall-search-terms', sqlite: [], postgres: lightenTerms },
  { id: '20261122T1530-recall-validity', sqlite: [], postgres: addValidity },
  { id: '20261122T1810-recall-speakers', sqlite: [], postgres: indexSpeakers },
  { id: '20261123T0010-recall-sessions', sqlite: [], postgres: indexSessionsByOwner },
  {
    id: '20261123T0040-recall-owners',
    up: async ({ schema }) => {
      const events = schema.alterTable('session_recall_events')
      await events.addColumn('owner_session_key', 'text').execute()
      await schema
        .createIndex('session_recall_events_of_owner')
        .on('session_recall_events')
        .columns(['owner_session_key', 'agent_id'])
        .where('owner_session_key', 'is not', null)
        .execute()
    },
  },
  { id: '20261123T0125-recall-owner-index', sqlite: [indexOwners], postgres: [indexOwners] },
]
