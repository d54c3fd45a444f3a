import type { Migration } from '../../kernel/db/migrations.ts'
import { cleanTexts } from './migrations/clean-texts.ts'
import { wordPieces } from './migrations/word-pieces.ts'

/** Each engine has its own way to count rows. */
const positionTypes = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'bigint generated always as identity primary key',
} as const

const wordIn =
  'insert into session_transcripts_fts (rowid, content) values (new.position, new.content);'
const wordOut = `insert into session_transcripts_fts (session_transcripts_fts, rowid, content)
  values ('delete', old.position, old.content);`

export const transcriptsMigrations: readonly Migration[] = [
  {
    id: '20261121T1630-session-transcripts',
    sqlite: [
      ...createTranscripts(positionTypes.sqlite),
      `create virtual table session_transcripts_fts using fts5(
        content, content = 'session_transcripts', content_rowid = 'position', tokenize = 'unicode61')`,
      // Deleted words must not remain in the pages of the index.
      `insert into session_transcripts_fts (session_transcripts_fts, rank)
         values ('secure-delete', 1)`,
      `create trigger session_transcripts_word_in after insert on session_transcripts
         begin ${wordIn} end`,
      `create trigger session_transcripts_word_out after delete on session_transcripts
         begin ${wordOut} end`,
      `create trigger session_transcripts_word_changes after update of content on session_transcripts
         when new.content <> old.content begin ${wordOut} ${wordIn} end`,
    ],
    postgres: [
      ...createTranscripts(positionTypes.postgres),
      // The engine rejects word lists above 1 MiB, so only the newest part is indexed.
      `alter table session_transcripts add column words tsvector
         generated always as (to_tsvector('simple', right(content, 250000))) stored`,
      'create index session_transcripts_words on session_transcripts using gin (words)',
    ],
  },
  onBothEngines('20261121T1631-transcript-captures', [
    `create table transcript_captures (
      id text primary key,
      agent_id text not null,
      session_key text not null,
      content_hash text not null,
      job_id text,
      problem text,
      completed_at text,
      created_at text not null,
      updated_at text not null
    )`,
    'create index transcript_captures_of on transcript_captures (agent_id, session_key)',
    'create index transcript_captures_by_age on transcript_captures (updated_at)',
  ]),
  onBothEngines('20261121T1632-memory-artifacts', [
    `create table memory_artifacts (
      agent_id text not null,
      source_path text not null,
      source_sha256 text not null,
      source_kind text not null,
      session_id text,
      session_key text,
      session_token text not null,
      project text,
      harness text,
      captured_at text not null,
      started_at text,
      ended_at text,
      manifest_path text,
      source_node_id text,
      memory_sentence text,
      memory_sentence_quality text,
      content text not null,
      updated_at text not null,
      primary key (agent_id, source_path)
    )`,
    'create index memory_artifacts_recent on memory_artifacts (agent_id, captured_at)',
    'create index memory_artifacts_of_session on memory_artifacts (agent_id, session_key)',
    `create table session_manifests (
      agent_id text not null,
      session_token text not null,
      session_key text not null,
      path text not null,
      session_id text,
      project text,
      harness text not null,
      captured_at text not null,
      started_at text,
      ended_at text,
      summary_path text,
      compaction_path text,
      transcript_path text,
      memory_md_refs text not null,
      revision integer not null,
      updated_at text not null,
      primary key (agent_id, session_token)
    )`,
  ]),
  onBothEngines('20261121T1633-session-summaries', [
    `create table session_summaries (
      agent_id text not null,
      id text not null,
      project text,
      depth integer not null,
      kind text not null,
      content text not null,
      token_count integer not null,
      earliest_at text not null,
      latest_at text not null,
      session_key text,
      harness text,
      source_type text not null,
      source_ref text,
      meta_json text,
      created_at text not null,
      primary key (agent_id, id)
    )`,
    'create index session_summaries_recent on session_summaries (agent_id, latest_at, id)',
    `create table session_summary_children (
      agent_id text not null,
      parent_id text not null,
      child_id text not null,
      ordinal integer not null,
      primary key (agent_id, parent_id, child_id)
    )`,
    'create index session_summary_children_of on session_summary_children (agent_id, child_id)',
    `create table session_summary_memories (
      agent_id text not null,
      summary_id text not null,
      memory_id text not null,
      primary key (agent_id, summary_id, memory_id)
    )`,
  ]),
  onBothEngines('20261121T1634-session-checkpoints', [
    `create table session_checkpoints (
      id text primary key,
      agent_id text not null,
      session_key text not null,
      harness text not null,
      project text,
      project_normalized text,
      trigger_kind text not null,
      digest text not null,
      prompt_count integer not null,
      memory_queries text,
      recent_remembers text,
      focal_entity_ids text,
      focal_entity_names text,
      active_aspect_ids text,
      surfaced_constraint_count integer,
      traversal_memory_count integer,
      created_at text not null
    )`,
    `create index session_checkpoints_of_session
       on session_checkpoints (agent_id, session_key, created_at, id)`,
    `create index session_checkpoints_of_project
       on session_checkpoints (agent_id, project_normalized, created_at, id)`,
    'create index session_checkpoints_by_age on session_checkpoints (created_at)',
  ]),
  onBothEngines('20261121T1915-memory-thread-heads', [
    `create table memory_thread_heads (
      agent_id text not null,
      thread_key text not null,
      project text,
      sample text not null,
      source_type text not null,
      node_id text not null,
      latest_at text not null,
      primary key (agent_id, thread_key)
    )`,
    `insert into memory_thread_heads
       select agent_id, thread_key, project, substr(content, 1, 240), source_type, id, latest_at
       from (
         select *, row_number() over (
           partition by agent_id, thread_key order by latest_at desc, id desc
         ) as place
         from (
           select *, coalesce('project:' || substr(project, 1, 200) || '#', '')
             || 'source:' || source_type
             || coalesce('#harness:' || substr(harness, 1, 200), '') as thread_key
           from session_summaries
         ) as named
       ) as ranked
       where place = 1`,
  ]),
  onBothEngines('20261121T1935-transcripts-written', [
    'alter table session_transcripts add column written_hash text',
  ]),
  onBothEngines('20261121T2015-session-summaries-of-project', [
    `create index session_summaries_of_project
       on session_summaries (agent_id, project, depth, latest_at)`,
  ]),
  onBothEngines('20261121T2025-transcripts-written-mark', [
    'alter table session_transcripts add column written_mark text',
  ]),
  onBothEngines('20261121T2240-session-transcript-files', [
    // A separate table, because updating a file state must not rewrite megabytes.
    `create table session_transcript_files (
      agent_id text not null,
      session_key text not null,
      wanted_hash text,
      written_hash text,
      mark text,
      updated_at text not null,
      primary key (agent_id, session_key)
    )`,
    `create index session_transcript_files_behind on session_transcript_files (updated_at)
       where wanted_hash is not null`,
    `insert into session_transcript_files
       (agent_id, session_key, wanted_hash, written_hash, updated_at)
       select agent_id, session_key,
         case when source_format = 'live' and coalesce(written_hash, '') <> content_hash
           then content_hash end,
         written_hash, updated_at
       from session_transcripts`,
    'alter table session_transcripts drop column written_hash',
    'alter table session_transcripts drop column written_mark',
    "alter table session_transcripts add column course text not null default ''",
    'update session_transcripts set course = content_hash',
  ]),
  ...wordPieces,
  {
    ...onBothEngines('20261123T0055-transcript-cleanups', [
      `create table transcript_cleanups (
        id text primary key,
        done_position bigint not null,
        last_position bigint not null
      )`,
      // The daemon drops injected blocks from these rows, in batches.
      `insert into transcript_cleanups
         select 'injected-blocks', 0, max(position) from session_transcripts
         having count(*) > 0`,
    ]),
    changesData: true,
  },
  cleanTexts,
  onBothEngines('20261123T2350-session-summaries-created', [
    'create index session_summaries_created on session_summaries (agent_id, created_at, id)',
  ]),
]

function onBothEngines(id: string, texts: readonly string[]): Migration {
  return { id, sqlite: texts, postgres: texts }
}

function createTranscripts(position: string): readonly string[] {
  return [
    `create table session_transcripts (
      position ${position},
      agent_id text not null,
      session_key text not null,
      session_id text,
      harness text not null,
      project text,
      content text not null,
      content_hash text not null,
      source_format text not null,
      source_path text,
      captured_at text not null,
      completed_at text,
      archived_at text,
      created_at text not null,
      updated_at text not null,
      unique (agent_id, session_key)
    )`,
    'create index session_transcripts_recent on session_transcripts (agent_id, updated_at)',
    `create index session_transcripts_complete on session_transcripts (agent_id, completed_at)
       where completed_at is not null`,
  ]
}
