import type { Migration } from '../../kernel/db/migrations.ts'

/** Costs are millionths of a dollar. */
export const inferenceMigrations: readonly Migration[] = [
  {
    id: '20261123T0700-inference-usage',
    up: async ({ schema }) => {
      await schema
        .createTable('inference_usage')
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('operation', 'text', (column) => column.notNull())
        .addColumn('task_class', 'text', (column) => column.notNull())
        .addColumn('target_ref', 'text', (column) => column.notNull())
        .addColumn('calls', 'bigint', (column) => column.notNull())
        .addColumn('failures', 'bigint', (column) => column.notNull())
        .addColumn('input_tokens', 'bigint', (column) => column.notNull())
        .addColumn('output_tokens', 'bigint', (column) => column.notNull())
        .addColumn('cache_read_tokens', 'bigint', (column) => column.notNull())
        .addColumn('cache_creation_tokens', 'bigint', (column) => column.notNull())
        .addColumn('cost_micros', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('inference_usage_key', [
          'day',
          'agent_id',
          'operation',
          'task_class',
          'target_ref',
        ])
        .execute()
      await schema
        .createTable('inference_budget_windows')
        .addColumn('budget_id', 'text', (column) => column.notNull())
        .addColumn('window', 'text', (column) => column.notNull())
        .addColumn('used_tokens', 'bigint', (column) => column.notNull())
        .addColumn('used_cost_micros', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('inference_budget_windows_key', ['budget_id', 'window'])
        .execute()
      await schema
        .createTable('inference_reservations')
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('budget_id', 'text', (column) => column.notNull())
        .addColumn('window', 'text', (column) => column.notNull())
        .addColumn('tokens', 'bigint', (column) => column.notNull())
        .addColumn('cost_micros', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('inference_reservations_key', ['id', 'budget_id'])
        .execute()
      await schema
        .createIndex('inference_reservations_by_budget')
        .on('inference_reservations')
        .columns(['budget_id', 'window'])
        .execute()
    },
  },
]
