import { type Migration, markUnselective } from '../../kernel/db/migrations.ts'

const lifecycle = [
  `create table imported_source_lifecycle (
    agent_id text not null,
    source_id text not null,
    status text not null,
    reason text not null,
    removed_at text not null,
    reviewed_at text,
    primary key (agent_id, source_id)
  )`,
]

const changes = [
  'create index source_artifacts_changed on source_artifacts (agent_id, updated_at, source_path)',
]

/** A list of the paths below a prefix is a range in the order of bytes, but not in that of a language. */
const pathsByBytes = ['source_artifacts', 'source_chunks'].map(
  (table) => `alter table ${table} alter column source_path type text collate "C"`,
)

export const sourcesMigrations: readonly Migration[] = [
  {
    id: '20261123T1400-sources',
    sqlite: create('integer primary key autoincrement', 'blob'),
    postgres: create('bigint generated always as identity primary key', 'bytea'),
  },
  { id: '20261123T1720-imported-source-lifecycle', sqlite: lifecycle, postgres: lifecycle },
  { id: '20261123T2350-source-artifact-changes', sqlite: changes, postgres: changes },
  {
    id: '20261128T2130-source-planner',
    sqlite: markUnselective({
      source_chunks_of_agent: 'source_chunks',
      source_artifacts_changed: 'source_artifacts',
    }),
    postgres: pathsByBytes,
  },
]

function create(position: string, bytes: string): readonly string[] {
  return [
    `create table source_artifacts (
      position ${position},
      agent_id text not null,
      source_id text not null,
      generation text not null,
      source_path text not null,
      source_sha256 text not null,
      source_kind text not null,
      session_id text,
      session_key text,
      session_token text,
      project text,
      harness text,
      captured_at text not null,
      started_at text,
      ended_at text,
      updated_at text not null,
      manifest_path text,
      source_node_id text,
      memory_sentence text,
      memory_sentence_quality text,
      content text not null,
      source_mtime_ms double precision,
      source_root text,
      source_external_id text,
      source_parent_path text,
      source_meta_json text,
      is_deleted integer not null,
      deleted_at text
    )`,
    `create unique index source_artifacts_of_path
       on source_artifacts (source_id, agent_id, source_path)`,
    'create index source_artifacts_by_path on source_artifacts (agent_id, source_path)',
    'create index source_artifacts_by_kind on source_artifacts (source_id, source_kind)',
    'create index source_artifacts_by_time on source_artifacts (source_id, updated_at)',
    'create index source_artifacts_deleted on source_artifacts (source_id) where is_deleted = 1',
    // `id` is a hash, so that a row about a purged chunk holds no word of it.
    `create table source_chunks (
      id text primary key,
      chunk_id text not null,
      agent_id text not null,
      source_id text not null,
      generation text not null,
      source_path text not null,
      source_type text not null,
      heading text not null,
      line_from integer not null,
      line_to integer not null,
      text text not null,
      content_hash text not null,
      words_hash text not null,
      revision bigint not null,
      created_at text not null
    )`,
    'create index source_chunks_of_path on source_chunks (source_id, source_path)',
    'create index source_chunks_revised on source_chunks (revision)',
    'create index source_chunks_of_agent on source_chunks (agent_id)',
    'create table source_chunks_purged (revision bigint primary key, id text not null, purged_at text not null)',
    'create index source_chunks_purged_at on source_chunks_purged (purged_at)',
    'create table source_revision (chunks bigint not null, vectors bigint not null, swept_to bigint not null)',
    'insert into source_revision (chunks, vectors, swept_to) values (0, 0, 0)',
    `create table source_chunk_vectors (
      revision bigint primary key,
      chunk_id text not null,
      source_id text not null,
      identity text not null,
      dims integer not null,
      words_hash text not null,
      vector ${bytes} not null check (length(vector) = 4 * dims)
    )`,
    `create unique index source_chunk_vectors_of_chunk
       on source_chunk_vectors (chunk_id, identity)`,
    'create index source_chunk_vectors_of_source on source_chunk_vectors (source_id, identity)',
    'create index source_chunk_vectors_by_words on source_chunk_vectors (words_hash, identity)',
    'create table source_vector_models (identity text primary key)',
    `create table source_checkpoints (
      source_id text not null,
      generation text not null,
      key text not null,
      cursor_json text not null,
      status text not null,
      updated_at text not null,
      primary key (source_id, key)
    )`,
    `create table source_files (
      source_id text not null,
      generation text not null,
      path text not null,
      size bigint not null,
      mtime_ms double precision not null,
      inode double precision not null,
      sha256 text not null,
      primary key (source_id, path)
    )`,
  ]
}
