import type { Migration } from '../../kernel/db/migrations.ts'

export const messagesMigrations: readonly Migration[] = [
  {
    id: '20261123T1330-messages',
    up: async ({ schema }) => {
      await schema
        .createTable('cross_agent_messages')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'text', (column) => column.notNull())
        .addColumn('from_agent_id', 'text', (column) => column.notNull())
        .addColumn('from_session_key', 'text')
        .addColumn('to_agent_id', 'text')
        .addColumn('to_session_key', 'text')
        .addColumn('project', 'text')
        .addColumn('content', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('broadcast', 'integer', (column) => column.notNull())
        .addColumn('delivery_path', 'text', (column) => column.notNull())
        .addColumn('delivery_state', 'text', (column) => column.notNull())
        .addColumn('delivery_attempts', 'integer', (column) => column.notNull())
        .addColumn('delivery_error', 'text')
        .addColumn('delivery_receipt', 'text')
        .addColumn('lease_until', 'text')
        .addColumn('acp', 'text')
        .execute()
      const indexes = {
        cross_agent_messages_to: ['to_agent_id', 'created_at', 'id'],
        cross_agent_messages_from: ['from_agent_id', 'created_at', 'id'],
        cross_agent_messages_broadcast: ['broadcast', 'created_at', 'id'],
        cross_agent_messages_by_age: ['expires_at'],
      }
      for (const [name, columns] of Object.entries(indexes))
        await schema.createIndex(name).on('cross_agent_messages').columns(columns).execute()
      await schema
        .createTable('cross_agent_acks')
        .addColumn('message_id', 'text', (column) =>
          column.notNull().references('cross_agent_messages.id').onDelete('cascade'),
        )
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('cross_agent_acks_key', ['message_id', 'agent_id'])
        .execute()
      await schema
        .createIndex('cross_agent_acks_by_agent')
        .on('cross_agent_acks')
        .column('agent_id')
        .execute()
    },
  },
]
