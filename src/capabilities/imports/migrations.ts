import type { Migration } from '../../kernel/db/migrations.ts'

const bytes = { sqlite: 'blob', postgres: 'bytea' } as const
/** Sorts by bytes, as SQLite does. */
const byBytes = { sqlite: '', postgres: ' collate "C"' } as const

const idleUploads = [
  `create index transcript_import_jobs_staging on transcript_import_jobs (updated_at)
   where state = 'staging'`,
]

export const importsMigrations: readonly Migration[] = [
  {
    id: '20261123T1400-transcript-imports',
    sqlite: createTables('sqlite'),
    postgres: createTables('postgres'),
  },
  { id: '20261129T0110-idle-uploads', sqlite: idleUploads, postgres: idleUploads },
]

function createTables(engine: 'sqlite' | 'postgres'): readonly string[] {
  return [...createJobTables(), ...byteTables(engine), ...conversationTables(engine)]
}

function createJobTables(): readonly string[] {
  return [
    `create table transcript_import_jobs (
    id text primary key,
    kind text not null,
    agent_id text not null,
    schema_id text not null,
    adapter_version integer not null,
    state text not null,
    generation integer not null,
    duplicate_mode text not null,
    control_request text,
    lease_token text,
    lease_expires_at text,
    total bigint not null,
    imported bigint not null,
    duplicate bigint not null,
    rejected bigint not null,
    pending bigint not null,
    error text,
    next_attempt_at text,
    started_at text,
    completed_at text,
    reconciled_at text,
    cleanup_state text,
    created_at text not null,
    updated_at text not null
  )`,
    'create index transcript_import_jobs_of on transcript_import_jobs (agent_id, id)',
    `create index transcript_import_jobs_active on transcript_import_jobs (id)
     where state in ('queued', 'inventorying', 'running')`,
    `create index transcript_import_jobs_to_clean on transcript_import_jobs (id)
     where cleanup_state = 'pending'`,
    `create table transcript_import_files (
    id text primary key,
    job_id text not null,
    source_id text,
    agent_id text not null,
    ordinal integer not null,
    name text not null,
    size_bytes bigint,
    content_hash text,
    state text not null,
    storage_state text not null,
    upload_generation integer not null,
    upload_offset bigint not null,
    upload_size bigint,
    upload_digest text not null,
    reserved_bytes bigint not null,
    checkpoint_byte_offset bigint not null,
    checkpoint_ordinal bigint not null,
    checkpoint_line_number bigint not null,
    record_count bigint,
    malformed_count bigint not null,
    error text,
    created_at text not null,
    updated_at text not null
  )`,
    'create unique index transcript_import_files_of on transcript_import_files (job_id, ordinal)',
    `create index transcript_import_files_of_source on transcript_import_files (agent_id, source_id)
     where source_id is not null`,
    `create table transcript_import_records (
    id text primary key,
    job_id text not null,
    file_id text not null,
    file_ordinal integer not null,
    source_id text,
    agent_id text not null,
    ordinal bigint not null,
    line_number bigint not null,
    byte_offset bigint not null,
    byte_length bigint not null,
    raw_hash text not null,
    status text not null,
    rejection_code text,
    canonical_id text,
    canonical_key text,
    external_identity text,
    conversation_fingerprint text,
    attempt_count integer not null,
    updated_at text not null
  )`,
    `create index transcript_import_records_by_status
     on transcript_import_records (job_id, status, file_ordinal, ordinal)`,
    'create index transcript_import_records_of_agent on transcript_import_records (agent_id)',
    `create table source_import_record_attempts (
    record_id text not null,
    attempt integer not null,
    agent_id text not null,
    status text not null,
    rejection_code text,
    created_at text not null,
    primary key (record_id, attempt)
  )`,
    'create index source_import_record_attempts_of on source_import_record_attempts (agent_id)',
  ]
}

function byteTables(engine: 'sqlite' | 'postgres'): readonly string[] {
  return [
    `create table source_import_chunks (
      agent_id text not null,
      file_id text not null,
      generation integer not null,
      byte_offset bigint not null,
      checksum text not null,
      content ${bytes[engine]} not null,
      primary key (file_id, generation, byte_offset)
    )`,
    'create index source_import_chunks_of_agent on source_import_chunks (agent_id)',
    `create table source_import_capacity (
      id integer primary key,
      reserved_bytes bigint not null
    )`,
    'insert into source_import_capacity (id, reserved_bytes) values (1, 0)',
  ]
}

function conversationTables(engine: 'sqlite' | 'postgres'): readonly string[] {
  return [
    `create table transcript_import_conversations (
      agent_id text not null,
      external_identity text not null,
      canonical_key text not null,
      conversation_fingerprint text not null,
      canonical_id text not null,
      owner_source_id text,
      owner_record_id text not null,
      state text not null,
      created_at text not null,
      updated_at text not null,
      primary key (agent_id, external_identity)
    )`,
    `create index transcript_import_conversations_of_source
       on transcript_import_conversations (agent_id, owner_source_id)`,
    `create table imported_conversations (
      agent_id text not null,
      canonical_id text not null,
      line_id text not null,
      source_agent_id text not null,
      harness text not null,
      session_key text${byBytes[engine]} not null,
      stored_key text,
      project text,
      timestamp text not null,
      at text${byBytes[engine]} not null,
      messages text not null,
      fingerprint text not null,
      owner_source_id text,
      primary key (agent_id, canonical_id)
    )`,
    `create index imported_conversations_by_time
       on imported_conversations (agent_id, at, session_key, canonical_id)`,
    `create index imported_conversations_of_source
       on imported_conversations (agent_id, owner_source_id)`,
  ]
}
