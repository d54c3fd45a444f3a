/**
 * The search tables of a server. Times are milliseconds since 1970. Each word occurs once in
 * `words`; its weight encodes its frequency.
 */
export const createSearchTables: readonly string[] = [
  `create table memory_search (
    memory_id text collate "C" primary key,
    content_hash text not null,
    agent_id text not null,
    visibility text not null,
    scope text,
    project text,
    session_id text,
    type text not null,
    who text not null,
    source_type text not null,
    tags text,
    pinned integer not null,
    deleted integer not null,
    importance double precision not null,
    created_at double precision not null,
    superseded_at double precision not null,
    traits integer not null,
    length integer not null,
    words tsvector not null,
    words_length integer not null,
    hints tsvector not null,
    hints_length integer not null,
    pieces bytea not null,
    pieces_length integer not null
  )`,
  // A pending list would be scanned by every search.
  'create index memory_search_words on memory_search using gin (words) with (fastupdate = off)',
  `create index memory_search_hints on memory_search using gin (hints) with (fastupdate = off)
     where hints_length > 0`,
  `create index memory_search_sessions on memory_search (session_id, created_at, memory_id)
     where session_id is not null`,
  'create index memory_search_said on memory_search (who, agent_id)',
  'create index memory_search_of_agent on memory_search (agent_id)',
  `create table memory_search_terms (
    field text not null,
    term text collate "C" not null,
    holding integer not null,
    primary key (field, term)
  )`,
  `create index memory_search_terms_gone on memory_search_terms (field) where holding <= 0`,
  `create table memory_search_fields (
    field text primary key,
    texts bigint not null,
    length bigint not null
  )`,
  `create table memory_search_names (
    word text not null,
    who text not null,
    primary key (word, who)
  )`,
  `create table memory_search_state (
    rules bigint not null,
    swept bigint not null,
    seen_memory bigint not null,
    seen_vector bigint not null,
    live bigint not null,
    held bigint not null
  )`,
  'insert into memory_search_state values (0, 0, 0, 0, 0, 0)',
  `insert into memory_search_fields (field, texts, length)
     values ('words', 0, 0), ('hints', 0, 0), ('pieces', 0, 0)`,
]

/** Counts change with each memory: without an index on them and with free space, updates are heap-only. */
export const lightenTerms: readonly string[] = [
  'drop index memory_search_terms_gone',
  'alter table memory_search_terms set (fillfactor = 70)',
]

/** Validity intervals in milliseconds since 1970; null for always. The index is rebuilt for them. */
export const addValidity: readonly string[] = [
  'alter table memory_search add column validity int8multirange',
  'update memory_search_state set rules = 0',
]

/** Session neighbours belong to one agent and project. */
export const indexSessionsByOwner: readonly string[] = [
  'drop index memory_search_sessions',
  `create index memory_search_sessions
     on memory_search (session_id, agent_id, coalesce(project, ''), created_at, memory_id)
     where session_id is not null`,
]

/** Each replaced memory looks up whether its speaker is still in use. */
export const indexSpeakers: readonly string[] = [
  'create index memory_search_names_of on memory_search_names (who)',
]
