import type { Migration } from '../../kernel/db/migrations.ts'

const create = [
  `create table connectors (
    id text primary key,
    agent_id text not null,
    project text,
    provider text not null,
    display_name text not null,
    settings_json text not null,
    enabled integer not null,
    cursor_at text,
    status text not null,
    last_sync_at text,
    last_error text,
    created_at text not null,
    updated_at text not null
  )`,
  'create index connectors_listed on connectors (agent_id, created_at desc, id desc)',
]

export const connectorMigrations: readonly Migration[] = [
  { id: '20261123T1640-connectors', sqlite: create, postgres: create },
]
