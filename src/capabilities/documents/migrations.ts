import type { Migration } from '../../kernel/db/migrations.ts'

const create = [
  `create table documents (
    id text primary key,
    agent_id text not null,
    project text,
    source_type text not null,
    source_url text,
    content_type text,
    content_hash text,
    title text,
    raw_content text,
    encoding text not null,
    status text not null,
    error text,
    connector_id text,
    origin text not null,
    job_id text,
    chunk_count integer not null,
    memory_count integer not null,
    metadata_json text,
    revision integer not null,
    created_at text not null,
    updated_at text not null,
    completed_at text
  )`,
  `create unique index documents_one_source on documents (source_url, agent_id, coalesce(project, ''))
     where source_type in ('url', 'file') and status not in ('failed', 'deleted')`,
  'create index documents_listed on documents (agent_id, created_at desc, id desc)',
  'create index documents_by_status on documents (agent_id, status, created_at desc, id desc)',
  'create index documents_of_connector on documents (connector_id, source_url)',
  `create table document_memories (
    document_id text not null,
    memory_id text not null,
    chunk_index integer not null,
    primary key (document_id, chunk_index)
  )`,
  'create index document_memories_of on document_memories (memory_id)',
]

const indexDeleted = [
  "create index documents_deleted on documents (updated_at) where status = 'deleted'",
]

export const documentMigrations: readonly Migration[] = [
  { id: '20261123T1410-documents', sqlite: create, postgres: create },
  { id: '20261129T0055-documents-deleted', sqlite: indexDeleted, postgres: indexDeleted },
]
