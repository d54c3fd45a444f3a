import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Columns, type Row, renderDetail, toRows } from './render.ts'
import { renderConflicts, renderHygiene, renderTree } from './render-graph.ts'
import { toLocalDate } from './times.ts'

const sampleId = '0195f3a0'
const entityRows: Columns = {
  name: ({ entity }) => Object(entity).name,
  type: ({ entity }) => Object(entity).entityType,
  mentions: ({ entity }) => Object(entity).mentions,
  aspects: 'aspectCount',
  values: 'attributeCount',
  constraints: 'constraintCount',
  links: 'dependencyCount',
  pinned: ({ entity }) => Object(entity).pinned,
}
export const valueColumns: Columns = {
  value: 'content',
  status: 'status',
  version: 'version',
  kind: 'kind',
  confidence: 'confidence',
  asserted: ({ assertedAt }) => toLocalDate(String(assertedAt)),
  evidence: ({ proposalEvidence }) => toRows(proposalEvidence).map(renderSource).join('; '),
  id: 'id',
}
export const payloadColumn: Columns = { payload: ({ payload }) => describePayload(payload) }
const proposalColumns: Columns = {
  id: 'id',
  operation: 'operation',
  status: 'status',
  confidence: 'confidence',
  ...payloadColumn,
}
const assertionColumns: Columns = {
  entity: 'entity',
  predicate: 'predicate',
  text: 'content',
  speaker: 'speaker',
  asserted: ({ assertedAt }) => toLocalDate(String(assertedAt)),
  confidence: 'confidence',
  id: 'id',
}
const ofProposal = { noun: 'proposal', listedBy: 'reverie ontology proposals' }
const noProposals = `No proposal matches. Propose one: reverie ontology propose create_entity --payload '{"name": "Atlas"}'`

/** The commands of the knowledge graph that send one request. */
export const knowledgeOperations: readonly Operation[] = [
  {
    command: 'entities list',
    route: 'GET /api/knowledge/navigation/entities',
    summary: 'List entities with their counts; pinned ones first, then the most mentioned',
    examples: ['reverie entities list', 'reverie entities list --query atl --type project'],
    options: { q: 'query' },
    descriptions: { q: 'part of a name', type: 'type such as person, project or tool' },
    after: 'inference cancel',
    columns: entityRows,
    empty: 'No entity matches. Create one: reverie entities set NAME ASPECT KEY VALUE',
  },
  {
    command: 'entities show',
    after: 'entities list',
    route: 'GET /api/knowledge/navigation/entity',
    summary: 'Show an entity, found by its name, alias or a part of the name',
    examples: ['reverie entities show Atlas'],
    arguments: ['name'],
    listedBy: 'reverie entities list',
    render: ({ entity, structuralDensity, incomingDependencyCount, ...counts }) => {
      const { id, name, entityType, description, mentions, pinned, updatedAt } = Object(entity)
      const { aspectCount, attributeCount, constraintCount } = counts
      const links = `${counts['outgoingDependencyCount']} out, ${incomingDependencyCount} in`
      return renderDetail({
        name,
        type: entityType,
        description,
        mentions,
        pinned,
        aspects: aspectCount,
        values: attributeCount,
        constraints: constraintCount,
        links,
        updated: updatedAt,
        id,
      })
    },
  },
  {
    command: 'entities tree',
    after: 'entities show',
    route: 'GET /api/knowledge/navigation/tree',
    summary: 'Show the outline of an entity: aspects, groups and claims',
    examples: ['reverie entities tree Atlas', 'reverie entities tree Atlas --depth 1'],
    arguments: ['entity'],
    descriptions: {
      depth: '1 shows aspects, 2 also groups, 3 also claims; default 3',
      max_aspects: 'maximum aspects, 1 to 100',
      max_groups: 'maximum groups of an aspect, 1 to 100',
      max_claims: 'maximum claims of a group, 1 to 200',
    },
    listedBy: 'reverie entities list',
    render: renderTree,
  },
  {
    command: 'entities history',
    after: 'entities set',
    route: 'GET /api/ontology/claims/versions',
    summary: 'List all versions of a claim',
    examples: [
      'reverie entities history Atlas runtime language',
      'reverie entities history Atlas runtime language --group general',
    ],
    arguments: ['entity', 'aspect', 'claim'],
    descriptions: { group: 'group of the claim; default general' },
    noun: 'claim',
    listedBy: 'reverie entities tree NAME',
    list: 'items',
    columns: valueColumns,
    empty: 'The claim has no value. Set one: reverie entities set NAME ASPECT KEY VALUE',
  },
  {
    command: 'ontology proposals',
    after: 'entities archive',
    route: 'GET /api/ontology/proposals',
    summary: 'List proposals and applied operations, the last changed first',
    examples: [
      'reverie ontology proposals --status pending',
      'reverie ontology proposals --operation merge_entities',
    ],
    options: { id_prefix: null },
    descriptions: {
      status: 'filter by status',
      operation: 'filter by operation, such as create_entity',
    },
    columns: proposalColumns,
    empty: noProposals,
  },
  {
    command: 'ontology show',
    after: 'ontology proposals',
    route: 'GET /api/ontology/proposals/:id/evidence',
    summary: 'Show a proposal with its evidence',
    examples: [`reverie ontology show ${sampleId}`],
    ...ofProposal,
    render: ({ proposal, items }) => {
      const { evidence, ...fields } = Object(proposal)
      const sources = toRows(items).map(
        ({ label, excerpt }) =>
          `${colors.cyan(toLine(String(label)))}\n  ${toLine(String(excerpt), 1200)}`,
      )
      return [renderDetail(fields), ...new Set(sources)].join('\n\n')
    },
  },
  {
    command: 'ontology propose',
    after: 'ontology show',
    route: 'POST /api/ontology/proposals',
    summary: 'Propose a change; it waits for review',
    examples: [
      `reverie ontology propose create_entity --payload '{"name": "Atlas", "entity_type": "project"}'`,
      `echo '{"entity": "Atlas", "aspect": "runtime", "claim_key": "language", "value": "Rust"}' | reverie ontology propose set_claim_value --payload -`,
    ],
    arguments: ['operation'],
    options: {
      risk: null,
      source_kind: null,
      source_id: null,
      source_path: null,
      source_root: null,
      created_by: null,
      evidence: 'evidence',
    },
    descriptions: {
      payload: 'fields of the operation; JSON, @FILE, or - for stdin',
      evidence: 'what supports it, such as [{"memory_id": "…", "quote": "…"}]; JSON or @FILE',
      confidence: 'confidence, 0 to 1',
      rationale: 'why the change is right',
    },
    render: ({ id, operation }) =>
      `${colors.green('✓')} Proposed ${toLine(String(operation))}\n  ${colors.dim(String(id))}\nApply it with: reverie ontology apply ${id}`,
  },
  {
    command: 'ontology reject',
    after: 'ontology apply',
    route: 'POST /api/ontology/proposals/:id/reject',
    summary: 'Reject a pending proposal',
    examples: [`reverie ontology reject ${sampleId} --reason "out of date"`],
    options: { actor: null },
    requiresReason: true,
    ...ofProposal,
    render: ({ id }) => `${colors.green('✓')} Rejected\n  ${colors.dim(String(id))}`,
  },
  {
    command: 'ontology assertions',
    after: 'ontology undo',
    route: 'GET /api/ontology/assertions',
    summary: 'List what was said about entities, the last said first',
    examples: [
      'reverie ontology assertions',
      'reverie ontology assertions --entity Atlas --predicate decided',
    ],
    options: { entity_id: null, source_kind: null, source_id: null },
    descriptions: {
      entity: 'name or alias of the entity',
      speaker: 'who said it',
      query: 'part of the text',
    },
    columns: assertionColumns,
    empty:
      'No assertion matches. Store one: reverie ontology assert NAME TEXT --predicate observed --quote WORDS',
  },
  {
    command: 'ontology conflicts',
    route: 'GET /api/ontology/proposals/conflicts',
    summary: 'List pending values of one claim that differ',
    examples: ['reverie ontology conflicts'],
    render: renderConflicts,
  },
  {
    command: 'ontology duplicates',
    route: 'POST /api/ontology/proposals/repair/duplicates',
    summary: 'List entities with almost equal names; --write proposes to merge them',
    examples: ['reverie ontology duplicates', 'reverie ontology duplicates --write'],
    options: { write_proposals: 'write', created_by: null },
    descriptions: { write_proposals: 'propose the merges' },
    list: 'items',
    columns: {
      target: ({ target }) => Object(target).name,
      sources: ({ sources }) =>
        toRows(sources)
          .map(({ name }) => name)
          .join(', '),
      risk: 'risk',
      warnings: ({ warnings }) => [warnings].flat().join(' '),
    },
    empty: 'No names are almost equal.',
  },
  {
    command: 'ontology hygiene',
    route: 'GET /api/knowledge/hygiene',
    summary:
      'Report suspicious entities, duplicates and memories that name an entity without a link',
    examples: ['reverie ontology hygiene', 'reverie ontology hygiene --memory-limit 1000'],
    descriptions: {
      limit: 'maximum rows of each list, 1 to 500',
      memory_limit: 'newest memories to read, 1 to 1000',
    },
    render: renderHygiene,
  },
]

/** One line for the fields of a payload. */
function describePayload(payload: unknown): string {
  return Object.entries(Object(payload))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

function renderSource({ sourceKind, quote, sourceId }: Row): string {
  const source = [sourceKind, sourceId].filter(Boolean).join(' ')
  return quote ? `${source} "${toLine(String(quote), 80)}"` : source
}
