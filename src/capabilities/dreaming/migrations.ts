import type { Migration } from '../../kernel/db/migrations.ts'

const createPasses = [
  `create table dreaming_state (
    agent_id text primary key,
    schedule_mode text,
    rules_failures integer not null,
    model_failures integer not null,
    last_failure_at text,
    last_pass_id text,
    last_pass_at text,
    last_pass_mode text,
    memory_cursor bigint not null,
    transcript_cursor text not null,
    no_progress_at text
  )`,
  `create table dreaming_passes (
    id text primary key,
    agent_id text not null,
    mode text not null,
    engine text not null,
    trigger_kind text not null,
    dry_run integer not null,
    status text not null,
    disposition text not null,
    owner text not null,
    lease_until text not null,
    started_at text not null,
    completed_at text,
    applied_count integer not null,
    skipped_count integer not null,
    failed_count integer not null,
    source_count integer not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    cost_micros bigint not null,
    cost_known integer not null,
    stopped_by text,
    model_status text,
    model_error text,
    summary text,
    error text,
    runbook text,
    evidence_window text not null,
    skipped text not null,
    near_duplicates text not null
  )`,
  `create unique index dreaming_passes_running on dreaming_passes (agent_id)
     where status = 'running'`,
  `create index dreaming_passes_listed on dreaming_passes (agent_id, started_at desc, id)`,
  'create index dreaming_passes_by_age on dreaming_passes (started_at)',
  `create table dreaming_operations (
    pass_id text not null,
    position integer not null,
    agent_id text not null,
    origin text not null,
    rule text,
    operation text not null,
    payload text not null,
    evidence text not null,
    subject text not null,
    before_ids text not null,
    reason text not null,
    confidence double precision,
    risk text,
    provenance text,
    state text not null,
    error text,
    proposal_id text,
    batch_id text,
    attribute_id text,
    fingerprint text,
    facts text not null,
    primary key (pass_id, position)
  )`,
  'create index dreaming_operations_of_agent on dreaming_operations (agent_id)',
  `create table dreaming_citations (
    pass_id text not null,
    position integer not null,
    source_kind text not null,
    source_id text not null,
    agent_id text not null,
    primary key (pass_id, position, source_kind, source_id)
  )`,
  `create index dreaming_citations_by_source on dreaming_citations
     (source_id, source_kind, agent_id)`,
  'create index dreaming_citations_of_agent on dreaming_citations (agent_id)',
  `create table dreaming_tool_calls (
    pass_id text not null,
    sequence integer not null,
    agent_id text not null,
    tool_call_id text not null,
    tool_name text not null,
    input text not null,
    output text not null,
    success integer not null,
    latency_ms integer not null,
    created_at text not null,
    primary key (pass_id, sequence)
  )`,
  'create index dreaming_tool_calls_of_agent on dreaming_tool_calls (agent_id)',
  'create index dreaming_tool_calls_by_age on dreaming_tool_calls (created_at)',
]

const createQueues = [
  `create table dreaming_attention (
    id text primary key,
    agent_id text not null,
    kind text not null,
    subject_ref text not null,
    details text not null,
    priority integer not null,
    generation integer not null,
    state text not null,
    resolved_by text,
    resolved_at text,
    created_at text not null
  )`,
  `create unique index dreaming_attention_one on dreaming_attention
     (agent_id, kind, subject_ref)`,
  `create index dreaming_attention_listed on dreaming_attention
     (agent_id, state, priority desc, created_at)`,
  `create table dreaming_exclusions (
    agent_id text not null,
    source_kind text not null,
    source_id text not null,
    reason text not null,
    pass_id text,
    excluded_at text not null,
    requeue_requested_at text,
    resolved_at text,
    primary key (agent_id, source_kind, source_id)
  )`,
  `create table dreaming_evidence (
    agent_id text not null,
    source_kind text not null,
    source_id text not null,
    content_hash text not null,
    source_time text not null,
    chars integer not null,
    rules_chars integer not null,
    model_chars integer not null,
    priority integer not null,
    disposition text not null,
    pass_id text,
    primary key (agent_id, source_kind, source_id)
  )`,
  `create index dreaming_evidence_pending on dreaming_evidence
     (agent_id, priority desc, source_time, source_id) where rules_chars < chars`,
  `create index dreaming_evidence_pending_model on dreaming_evidence
     (agent_id, priority desc, source_time, source_id) where model_chars < chars`,
]

const createLedger = [
  `create table dreaming_facts (
    agent_id text not null,
    fingerprint text not null,
    family text not null,
    subject text not null,
    slot text not null,
    value text not null,
    source_kind text not null,
    source_id text not null,
    quote_start integer not null,
    quote_length integer not null,
    session text,
    asserted_at text not null,
    own_word integer not null,
    state text not null,
    attribute_id text,
    pass_id text,
    primary key (agent_id, fingerprint, source_kind, source_id)
  )`,
  'create index dreaming_facts_of_slot on dreaming_facts (agent_id, subject, slot)',
  'create index dreaming_facts_of_source on dreaming_facts (source_id, source_kind, agent_id)',
  'create index dreaming_facts_of_pass on dreaming_facts (pass_id)',
  `create table dreaming_refusals (
    agent_id text not null,
    fingerprint text not null,
    reason text not null,
    until_after text not null,
    created_at text not null,
    primary key (agent_id, fingerprint)
  )`,
  `create table dreaming_pages (
    agent_id text not null,
    name text not null,
    entity_id text not null,
    digest text not null,
    claims integer not null,
    parts text not null,
    updated_at text not null,
    primary key (agent_id, name)
  )`,
]

const create = [...createPasses, ...createQueues, ...createLedger]

const addModelUsage = [
  'alter table dreaming_passes add column cache_read_tokens bigint not null default 0',
  'alter table dreaming_passes add column cache_creation_tokens bigint not null default 0',
  'alter table dreaming_state add column model_idle_passes integer not null default 0',
]

const addFeeds = [
  "alter table dreaming_state add column artifact_cursor text not null default ''",
  "alter table dreaming_state add column summary_cursor text not null default ''",
]

/** The key orders the rows themselves, so that no index repeats it. */
const compactRows = {
  sqlite: [
    `create table dreaming_evidence_compact (
      agent_id text not null,
      source_kind text not null,
      source_id text not null,
      content_hash text not null,
      source_time text not null,
      chars integer not null,
      rules_chars integer not null,
      model_chars integer not null,
      priority integer not null,
      disposition text not null,
      pass_id text,
      primary key (agent_id, source_kind, source_id)
    ) without rowid`,
    `insert into dreaming_evidence_compact
       select agent_id, source_kind, source_id, substr(content_hash, 1, 16), source_time, chars,
         rules_chars, model_chars, priority, disposition, pass_id
       from dreaming_evidence`,
    'drop table dreaming_evidence',
    'alter table dreaming_evidence_compact rename to dreaming_evidence',
    `create index dreaming_evidence_pending on dreaming_evidence
       (agent_id, priority desc, source_time, source_id) where rules_chars < chars`,
  ],
  postgres: [
    'update dreaming_evidence set content_hash = left(content_hash, 16)',
    'drop index dreaming_evidence_pending_model',
  ],
}

/** Queries find citations by source or pass. A hash only has to detect a changed text. */
const compactCitations = {
  sqlite: [
    `create table dreaming_citations_compact (
      pass_id text not null,
      position integer not null,
      source_kind text not null,
      source_id text not null,
      agent_id text not null,
      primary key (pass_id, position, source_kind, source_id)
    ) without rowid`,
    `insert into dreaming_citations_compact
       select pass_id, position, source_kind, source_id, agent_id from dreaming_citations`,
    'drop table dreaming_citations',
    'alter table dreaming_citations_compact rename to dreaming_citations',
    `create index dreaming_citations_by_source on dreaming_citations
       (source_id, source_kind, agent_id)`,
    'update dreaming_evidence set content_hash = substr(content_hash, 1, 8)',
  ],
  postgres: [
    'drop index dreaming_citations_of_agent',
    'update dreaming_evidence set content_hash = left(content_hash, 8)',
  ],
}

/** The backlog sums what the rules have not read from the index alone. */
const coverPending = [
  'drop index dreaming_evidence_pending',
  `create index dreaming_evidence_pending on dreaming_evidence
     (agent_id, priority desc, source_time, source_id, chars, rules_chars)
     where rules_chars < chars`,
]

export const dreamingMigrations: readonly Migration[] = [
  { id: '20261123T1330-dreaming', sqlite: create, postgres: create },
  { id: '20261123T1640-dreaming-model', sqlite: addModelUsage, postgres: addModelUsage },
  { id: '20261123T2350-dreaming-feeds', sqlite: addFeeds, postgres: addFeeds },
  { id: '20261124T0030-dreaming-compact-rows', ...compactRows },
  { id: '20261128T1545-dreaming-compact-citations', ...compactCitations },
  { id: '20261129T0030-dreaming-pending', sqlite: coverPending, postgres: coverPending },
]
