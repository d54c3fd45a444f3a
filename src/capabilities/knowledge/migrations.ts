import { type Migration, markUnselective } from '../../kernel/db/migrations.ts'

const live = `status = 'active' and withheld_at is null`
const times = 'created_at text not null, updated_at text not null, withheld_at text'
const archived = 'archived_at text, archived_by text, archive_reason text, proposal_id text'
const source = 'source_kind text, source_id text, source_path text, source_root text'

const createGraph = [
  `create table entities (
    id text primary key,
    agent_id text not null,
    name text not null,
    canonical_name text not null,
    entity_type text not null,
    description text,
    mentions integer not null,
    pinned integer not null,
    pinned_at text,
    status text not null,
    source_root text,
    ${archived}, ${times}
  )`,
  `create unique index entities_one_name on entities (agent_id, canonical_name)
     where ${live} and source_root is null`,
  `create index entities_of_source on entities (agent_id, canonical_name)
     where ${live} and source_root is not null`,
  `create index entities_archived on entities (agent_id, canonical_name)
     where status = 'archived'`,
  `create index entities_listed on entities
     (agent_id, pinned desc, pinned_at desc, mentions desc, updated_at desc, name)
     where ${live}`,
  `create table entity_names (
    agent_id text not null,
    phrase text not null,
    entity_id text not null,
    kind text not null,
    primary key (agent_id, phrase, entity_id)
  )`,
  'create index entity_names_of on entity_names (entity_id)',
  `create table entity_name_words (
    agent_id text not null,
    word text not null,
    entity_id text not null,
    primary key (agent_id, word, entity_id)
  )`,
  'create index entity_name_words_of on entity_name_words (entity_id)',
  `create table entity_aliases (
    id text primary key,
    agent_id text not null,
    entity_id text not null,
    alias text not null,
    canonical_alias text not null,
    confidence double precision not null,
    source text not null,
    status text not null,
    ${times}
  )`,
  `create unique index entity_aliases_one on entity_aliases (agent_id, canonical_alias)
     where ${live}`,
  'create index entity_aliases_of on entity_aliases (entity_id, status)',
  `create table entity_aspects (
    id text primary key,
    agent_id text not null,
    entity_id text not null,
    name text not null,
    canonical_name text not null,
    weight double precision not null,
    status text not null,
    ${archived}, ${times}
  )`,
  `create unique index entity_aspects_one_name on entity_aspects
     (entity_id, canonical_name, agent_id)`,
]

const createClaims = [
  `create table entity_attributes (
    id text primary key,
    agent_id text not null,
    entity_id text not null,
    aspect_id text not null,
    memory_id text,
    kind text not null,
    mode text not null,
    content text not null,
    normalized_content text not null,
    group_key text not null,
    claim_key text not null,
    confidence double precision not null,
    importance double precision not null,
    asserted_at text not null,
    visibility text not null,
    pinned integer not null,
    status text not null,
    superseded_by text,
    version integer not null,
    version_root_id text not null,
    previous_attribute_id text,
    review_after text,
    ${source}, ${archived}, ${times}
  )`,
  `create index entity_attributes_best on entity_attributes (entity_id, importance desc, id)
     where ${live}`,
  `create index entity_attributes_of_slot on entity_attributes
     (aspect_id, group_key, claim_key, status, version desc)`,
  'create index entity_attributes_of on entity_attributes (entity_id)',
  `create table entity_dependencies (
    id text primary key,
    agent_id text not null,
    source_entity_id text not null,
    target_entity_id text not null,
    aspect_id text,
    dependency_type text not null,
    strength double precision not null,
    confidence double precision not null,
    reason text,
    visibility text not null,
    status text not null,
    ${source}, ${archived}, ${times}
  )`,
  `create unique index entity_dependencies_one on entity_dependencies
     (source_entity_id, target_entity_id, dependency_type, agent_id)`,
  `create index entity_dependencies_out on entity_dependencies (source_entity_id, strength desc)
     where ${live}`,
  `create index entity_dependencies_in on entity_dependencies (target_entity_id) where ${live}`,
  'create index entity_dependencies_to on entity_dependencies (target_entity_id, status)',
]

const createEvidence = [
  `create table knowledge_citations (
    agent_id text not null,
    subject_type text not null,
    subject_id text not null,
    source_kind text not null,
    source_id text not null,
    quote text not null,
    quote_hash text not null,
    source_time text not null,
    visibility text not null,
    project text,
    proposal_id text,
    created_at text not null,
    lost_at text,
    primary key (subject_id, subject_type, source_kind, source_id, quote_hash)
  )`,
  `create index knowledge_citations_by_source on knowledge_citations
     (source_id, source_kind, agent_id)`,
  'create index knowledge_citations_of_agent on knowledge_citations (agent_id)',
  `create table memory_entity_mentions (
    memory_id text not null,
    entity_id text not null,
    agent_id text not null,
    origin text not null,
    lost_at text,
    primary key (memory_id, entity_id)
  )`,
  'create index memory_entity_mentions_of on memory_entity_mentions (entity_id, memory_id)',
  'create index memory_entity_mentions_of_agent on memory_entity_mentions (agent_id)',
  `create table knowledge_degrees (
    agent_id text primary key,
    entities integer not null,
    p90 double precision not null,
    computed_at text not null
  )`,
]

const byAgent = ['entity_aspects', 'entity_attributes', 'entity_dependencies'].map(
  (table) => `create index ${table}_of_agent on ${table} (agent_id)`,
)

const create = [...createGraph, ...createClaims, ...createEvidence, ...byAgent]

const findMerged = [
  `create index entities_merged on entities (agent_id, archive_reason) where status = 'archived'`,
]

const ofSource = 'agent_id text not null, source_id text not null'
const createSourceNodes = [
  `create table knowledge_source_nodes (
    entity_id text primary key, ${ofSource}, generation text not null, kind text not null
  )`,
  'create index knowledge_source_nodes_of on knowledge_source_nodes (source_id, agent_id)',
  'create index knowledge_source_nodes_of_agent on knowledge_source_nodes (agent_id)',
  `create table knowledge_source_names (
    ${ofSource}, name text not null, rank integer not null, entity_id text not null,
    primary key (source_id, name, agent_id, rank, entity_id)
  )`,
  'create index knowledge_source_names_of on knowledge_source_names (entity_id)',
  'create index knowledge_source_names_of_agent on knowledge_source_names (agent_id)',
  `create table knowledge_source_targets (
    ${ofSource}, entity_id text not null, target text not null, tail text not null,
    primary key (entity_id, target)
  )`,
  'create index knowledge_source_targets_to on knowledge_source_targets (source_id, target)',
  'create index knowledge_source_targets_tail on knowledge_source_targets (source_id, tail)',
  'create index knowledge_source_targets_of_agent on knowledge_source_targets (agent_id)',
]

const findNamed = [
  'drop index entities_of_source',
  `create index entities_named on entities (agent_id, canonical_name) where ${live}`,
]
const ofAgent = [
  'entity_aspects',
  'entity_attributes',
  'entity_dependencies',
  'knowledge_citations',
  'memory_entity_mentions',
  'knowledge_source_nodes',
  'knowledge_source_names',
  'knowledge_source_targets',
]
const unselective = markUnselective(
  Object.fromEntries(ofAgent.map((table) => [`${table}_of_agent`, table])),
)

export const knowledgeMigrations: readonly Migration[] = [
  { id: '20261123T0700-knowledge', sqlite: create, postgres: create },
  { id: '20261123T0950-merged', sqlite: findMerged, postgres: findMerged },
  {
    id: '20261123T2050-source-nodes',
    sqlite: createSourceNodes,
    postgres: createSourceNodes,
  },
  {
    id: '20261128T1500-planner',
    sqlite: [...findNamed, ...unselective],
    postgres: findNamed,
  },
]
