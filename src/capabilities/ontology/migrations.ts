import { type Migration, markUnselective } from '../../kernel/db/migrations.ts'

const source = 'source_kind text, source_id text, source_path text, source_root text'

const create = [
  `create table ontology_proposals (
    id text primary key,
    agent_id text not null,
    operation text not null,
    status text not null,
    payload text not null,
    confidence double precision not null,
    rationale text not null,
    evidence text not null,
    risk text,
    ${source},
    created_by text,
    applied_by text,
    rejected_by text,
    result text,
    created_at text not null,
    updated_at text not null,
    applied_at text,
    rejected_at text,
    batch_id text,
    origin text,
    undone_by text,
    image_count integer not null,
    fingerprint text not null,
    withheld_at text
  )`,
  `create index ontology_proposals_listed on ontology_proposals
     (agent_id, status, updated_at desc, id desc)`,
  `create index ontology_proposals_by_operation on ontology_proposals
     (agent_id, operation, updated_at desc, id desc)`,
  `create index ontology_proposals_of_agent on ontology_proposals
     (agent_id, updated_at desc, id desc)`,
  'create index ontology_proposals_of_batch on ontology_proposals (batch_id)',
  `create index ontology_proposals_pending on ontology_proposals (agent_id, fingerprint)
     where status = 'pending'`,
  `create table ontology_evidence (
    subject_id text not null,
    source_kind text not null,
    source_id text not null,
    agent_id text not null,
    lost_at text,
    primary key (subject_id, source_kind, source_id)
  )`,
  'create index ontology_evidence_by_source on ontology_evidence (source_id, source_kind, agent_id)',
  'create index ontology_evidence_of_agent on ontology_evidence (agent_id)',
  `create table ontology_changes (
    proposal_id text not null,
    position integer not null,
    agent_id text not null,
    batch_id text not null,
    table_name text not null,
    row_id text not null,
    before text,
    after text,
    created_at text not null,
    primary key (proposal_id, position)
  )`,
  'create index ontology_changes_of_batch on ontology_changes (batch_id, position)',
  'create index ontology_changes_of_row on ontology_changes (row_id)',
  'create index ontology_changes_by_age on ontology_changes (created_at)',
  'create index ontology_changes_of_agent on ontology_changes (agent_id)',
  `create table ontology_contradictions (
    id text primary key,
    agent_id text not null,
    attribute_id text not null,
    other_id text not null,
    reason text not null,
    overlap integer not null,
    status text not null,
    created_at text not null,
    reconciled_at text
  )`,
  `create unique index ontology_contradictions_one on ontology_contradictions
     (attribute_id, other_id)`,
  'create index ontology_contradictions_of on ontology_contradictions (other_id)',
  `create index ontology_contradictions_listed on ontology_contradictions
     (agent_id, status, created_at desc, id desc)`,
  `create table epistemic_assertions (
    id text primary key,
    agent_id text not null,
    observer_id text not null,
    subject_entity_id text not null,
    claim_attribute_id text,
    predicate text not null,
    content text not null,
    normalized_content text not null,
    speaker text,
    asserted_at text not null,
    confidence double precision not null,
    evidence text not null,
    ${source},
    session_key text,
    visibility text not null,
    status text not null,
    supersedes_assertion_id text,
    archived_at text,
    archived_by text,
    archive_reason text,
    created_by text,
    created_at text not null,
    updated_at text not null,
    withheld_at text
  )`,
  `create index epistemic_assertions_of on epistemic_assertions
     (agent_id, subject_entity_id, status, asserted_at desc, id desc)`,
  `create index epistemic_assertions_listed on epistemic_assertions
     (agent_id, status, asserted_at desc, id desc)`,
]

const followSubjects = [
  'alter table epistemic_assertions add column subject_withheld_at text',
  `create index epistemic_assertions_of_session on epistemic_assertions
     (agent_id, session_key, created_at desc)`,
  `create index epistemic_assertions_of_claim on epistemic_assertions (claim_attribute_id)`,
]

const shrinkImages = [
  'drop index ontology_changes_of_batch',
  'alter table ontology_changes drop column batch_id',
  'drop index ontology_changes_of_row',
  `create index ontology_changes_of_row on ontology_changes (row_id)
     where substr(row_id, 1, 1) <> '['`,
]

const unselective = markUnselective({
  ontology_evidence_of_agent: 'ontology_evidence',
  ontology_changes_of_agent: 'ontology_changes',
})

export const ontologyMigrations: readonly Migration[] = [
  { id: '20261123T0730-ontology', sqlite: create, postgres: create },
  { id: '20261123T0950-assertions', sqlite: followSubjects, postgres: followSubjects },
  {
    id: '20261128T1500-small-images',
    sqlite: [...shrinkImages, ...unselective],
    postgres: shrinkImages,
  },
]
