import type { Migration } from '../../kernel/db/migrations.ts'

/** Unique among the advisory locks of the database. */
export const vectorsLock = 7_306_020

export const embeddingsMigrations: readonly Migration[] = [
  {
    id: '20261121T1700-memory-vectors',
    sqlite: create('integer primary key autoincrement', 'blob'),
    postgres: create('bigint generated always as identity primary key', 'bytea'),
  },
  {
    id: '20261122T0150-vector-revisions',
    sqlite: [],
    postgres: [
      'create sequence memory_vector_revisions',
      `select setval('memory_vector_revisions',
         nextval(pg_get_serial_sequence('memory_vectors', 'revision')))`,
      // Writers share this lock until commit: an exclusive holder sees every assigned revision.
      `create function next_vector_revision() returns bigint language plpgsql as $$ begin
         perform pg_advisory_xact_lock_shared(${vectorsLock});
         return nextval('memory_vector_revisions');
       end $$`,
      'alter table memory_vectors alter column revision drop identity',
      `alter table memory_vectors
         alter column revision set default next_vector_revision()`,
    ],
  },
]

function create(revisionType: string, bytesType: string): readonly string[] {
  return [
    // Rows are replaced, never updated, so the revision is that of the last change.
    `create table memory_vectors (
      revision ${revisionType},
      memory_id text not null,
      agent_id text not null,
      identity text not null,
      passage integer not null,
      dims integer not null,
      content_hash text not null,
      vector ${bytesType} not null check (length(vector) = 4 * dims),
      created_at text not null
    )`,
    `create unique index memory_vectors_of_memory
       on memory_vectors (identity, memory_id, passage)`,
    'create index memory_vectors_of_agent on memory_vectors (agent_id)',
    `create table embedding_models (
      identity text primary key,
      model text not null,
      dims integer not null,
      quantisation text not null,
      prompt_format text not null,
      state text not null,
      seen_revision bigint not null,
      created_at text not null,
      promoted_at text
    )`,
    `create unique index embedding_models_one_active
       on embedding_models (state) where state = 'active'`,
    `create table embedding_failures (
      identity text not null,
      memory_id text not null,
      agent_id text not null,
      content_hash text not null,
      reason text not null,
      attempts integer not null,
      retry_at text,
      failed_at text not null,
      primary key (identity, memory_id)
    )`,
    'create index embedding_failures_due on embedding_failures (retry_at)',
    'create index embedding_failures_of_agent on embedding_failures (agent_id)',
    `create table umap_cache (
      scope text not null,
      dimensions integer not null,
      fingerprint text not null,
      payload text not null,
      created_at text not null,
      primary key (scope, dimensions)
    )`,
  ]
}

/** For migrations of capabilities that count rows with vectors: only this one names its tables. */
export const vectorSql = {
  table: 'memory_vectors',
  modelTable: 'embedding_models',
  /** Selects the models that have a vector of a memory. */
  modelsOf: (memoryId: string) => `select stored.identity
    from embedding_models model
    join memory_vectors stored on stored.identity = model.identity
      and stored.memory_id = ${memoryId} and stored.passage = 0`,
} as const
