import type { Db } from '../../kernel/db/database.ts'
import { toCanonicalName } from '../knowledge/index.ts'
import { type SourceRef, toRef } from './evidence/evidence.ts'
import { cutFragments } from './evidence/fragments.ts'
import { readSources } from './evidence/source.ts'
import { listExcluded, type Window } from './evidence/window.ts'
import type { DreamingNeeds } from './needs.ts'
import type { Pass, StagedOperation } from './pass.ts'
import { listReopened, maxReopened } from './rules/open.ts'
import type {
  CurrentClaim,
  EvidenceFragment,
  Fact,
  GraphNames,
  PlannedOperation,
  Statement,
} from './rules/statement.ts'
import { listFacts, listRefused } from './store/ledger.ts'
import { listProposed } from './store/operations.ts'

const maxNames = 20_000

interface Stage {
  readonly pass: Pass
  readonly window: Window
  readonly signal: AbortSignal
}

/** Stages what the sentences of the window state. It calls no model. */
export async function stageRules(needs: DreamingNeeds, db: Db, { pass, window, signal }: Stage) {
  const { agentId } = pass
  const fragments = toFragments(window)
  const names = await readNames(needs, db, { agentId, fragments })
  const { user = '' } = needs.config()
  const read = await needs.rules.readStatements({ fragments, names, user })
  const { skipped } = read
  signal.throwIfAborted()
  const subjects = [...new Set(read.statements.map(({ subject }) => toCanonicalName(subject.name)))]
  const known = await listFacts(db, agentId, subjects)
  const refs = listReopened(read.statements, known)
  const again = refs.slice(0, maxReopened)
  const reopened = await readReopened(needs, db, {
    agentId,
    refs: again,
    read: read.statements,
    names,
  })
  const statements = [...read.statements, ...reopened]
  signal.throwIfAborted()
  const entityIds = statements.flatMap(({ subject }) => subject.entityId ?? [])
  const claims = await readClaims(needs, db, { agentId, entityIds })
  const { operations, attention, facts } = await needs.rules.decideOperations({
    statements,
    facts: known,
    claims,
    refusals: await listRefused(db, agentId),
  })
  signal.throwIfAborted()
  const nearDuplicates = await needs.rules.findNearDuplicates(
    window.sources.map(({ rendered: { sourceKind, sourceId, text, project } }) => ({
      ref: `${sourceKind}:${sourceId}`,
      text,
      project,
    })),
  )
  const open = await dropDecided(db, agentId, { operations, names })
  const staged = open.map((operation, position) =>
    toStaged(operation, { pass, position, claims, facts }),
  )
  const postponed = listPostponed({ window, read: read.statements, known, again })
  return { operations: staged, facts, attention, skipped, nearDuplicates, postponed }
}

interface Postponing {
  readonly window: Window
  readonly read: readonly Statement[]
  readonly known: readonly Fact[]
  readonly again: readonly SourceRef[]
}

/** Reopened sources beyond the limit. What is read again postpones nothing, so that passes end. */
function listPostponed({ window, read, known, again }: Postponing): readonly SourceRef[] {
  const isNew = new Set(
    window.sources.flatMap(({ entry }) => (entry.disposition === 'new' ? toRef(entry) : [])),
  )
  const refs = listReopened(
    read.filter((statement) => isNew.has(toRef(statement))),
    known,
  )
  const taken = new Set([...window.sources.map(({ entry }) => entry), ...again].map(toRef))
  return refs.filter((ref) => !taken.has(toRef(ref)))
}

interface Reopening {
  readonly agentId: string
  readonly refs: readonly SourceRef[]
  readonly read: readonly Statement[]
  readonly names: GraphNames
}

/** What sources say that were read before an older value of their subject. */
async function readReopened(
  needs: DreamingNeeds,
  db: Db,
  { agentId, refs, read, names }: Reopening,
): Promise<readonly Statement[]> {
  if (refs.length === 0) return []
  const excluded = await listExcluded(db, agentId)
  const rendered = await readSources(needs, db, { agentId, refs })
  const sources = [...rendered]
    .filter(([ref]) => !excluded.has(ref))
    .map(([, source]) => ({ rendered: source, fragments: cutFragments(source.text) }))
  const fragments = toFragments({ sources })
  const { user = '' } = needs.config()
  const { statements } = await needs.rules.readStatements({ fragments, names, user })
  const subjects = new Set(read.map(({ subject }) => toCanonicalName(subject.name)))
  return statements.filter(({ subject }) => subjects.has(toCanonicalName(subject.name)))
}

function toFragments({
  sources,
}: {
  readonly sources: readonly Pick<Window['sources'][number], 'rendered' | 'fragments'>[]
}): EvidenceFragment[] {
  return sources.flatMap(({ rendered, fragments }) => {
    const { sourceKind, sourceId, speaker, project, session, sourceTime, trust } = rendered
    const { structuredStart } = rendered
    const source = { sourceKind, sourceId, speaker, project, session, trust, structuredStart }
    return fragments.map((fragment) => ({ ...source, ...fragment, assertedAt: sourceTime }))
  })
}

async function readNames(
  { knowledge }: DreamingNeeds,
  db: Db,
  {
    agentId,
    fragments,
  }: { readonly agentId: string; readonly fragments: readonly EvidenceFragment[] },
): Promise<GraphNames> {
  const rows = await knowledge.ledger.listNames(db, agentId, maxNames)
  const distinct = (values: readonly (string | null)[]) =>
    [...new Set(values.filter((value) => value !== null && value !== ''))] as string[]
  return {
    entities: rows.map(({ id, name, entityType: type, aliases }) => ({ id, name, type, aliases })),
    speakers: distinct(fragments.map(({ speaker }) => speaker)),
    projects: distinct(fragments.map(({ project }) => project)),
  }
}

/** The values of the named entities with their live citations. */
export async function readClaims(
  { knowledge, ontology }: DreamingNeeds,
  db: Db,
  { agentId, entityIds }: { readonly agentId: string; readonly entityIds: readonly string[] },
): Promise<CurrentClaim[]> {
  const rows = await knowledge.ledger.listClaimsOf(db, agentId, entityIds)
  const ids = rows.map(({ id }) => id)
  const cited = await knowledge.ledger.listClaimCitations(db, agentId, ids)
  const trustOf = async (kind: string, id: string): Promise<'own' | 'external'> => {
    if (kind !== 'artifact') return 'own'
    return (await ontology.readEvidence(db, agentId, { kind, id }))?.trust ?? 'external'
  }
  const citations = await Promise.all(
    cited.flatMap(({ sourceKind, ...citation }) =>
      sourceKind === 'ontology_proposal'
        ? []
        : [
            trustOf(sourceKind, citation.sourceId).then((trust) => ({
              ...citation,
              sourceKind,
              trust,
            })),
          ],
    ),
  )
  const byClaim = Map.groupBy(citations, ({ subjectId }) => subjectId)
  return rows.map((row) => ({
    attributeId: row.id,
    entityId: row.entityId,
    entityName: row.entity,
    aspect: row.aspect,
    groupKey: row.groupKey,
    claimKey: row.claimKey,
    value: row.content,
    status: row.status,
    assertedAt: row.assertedAt,
    pinned: row.pinned === 1 || row.kind === 'constraint',
    citations: (byClaim.get(row.id) ?? []).map(({ sourceKind, sourceId, quote, trust }) => ({
      sourceKind,
      sourceId,
      quote,
      trust,
    })),
  }))
}

interface Decided {
  readonly operations: readonly PlannedOperation[]
  readonly names: GraphNames
}

/** Without aliases that the graph has, and without proposals that a person has seen. */
async function dropDecided(
  db: Db,
  agentId: string,
  { operations, names: { entities } }: Decided,
): Promise<readonly PlannedOperation[]> {
  const doubtful = operations.filter(({ reviewRequired }) => reviewRequired)
  const proposed = await listProposed(
    db,
    agentId,
    doubtful.map(({ fingerprint }) => fingerprint),
  )
  const isKnown = ({ operation, payload }: PlannedOperation) =>
    operation === 'create_entity_alias' &&
    entities
      .find(({ id }) => id === payload['entity_id'])
      ?.aliases.some(
        (alias) => toCanonicalName(alias) === toCanonicalName(String(payload['alias'])),
      )
  return operations.filter(
    (one) => !(one.reviewRequired && (proposed.has(one.fingerprint) || isKnown(one))),
  )
}

interface Staging {
  readonly pass: Pass
  readonly position: number
  readonly claims: readonly CurrentClaim[]
  readonly facts: readonly Fact[]
}

function toStaged(
  operation: PlannedOperation,
  { pass, position, claims, facts }: Staging,
): StagedOperation {
  const { payload, evidence, reason, confidence, rule, fingerprint, reviewRequired } = operation
  const target = claims.find(({ attributeId }) => attributeId === payload['attribute_id'])
  const cited = evidence.map(({ sourceKind, sourceId, quote }) => ({ sourceKind, sourceId, quote }))
  return {
    passId: pass.id,
    position,
    agentId: pass.agentId,
    origin: 'rules',
    rule,
    operation: operation.operation,
    payload,
    evidence: cited,
    subject: String(payload['entity'] ?? target?.entityName ?? ''),
    beforeIds: target ? [target.attributeId] : listReplaced(operation, claims),
    reason,
    confidence,
    risk: reviewRequired ? 'review_required' : null,
    provenance: null,
    state: 'planned',
    error: null,
    proposalId: null,
    batchId: null,
    attributeId: null,
    fingerprint,
    facts: facts.filter((fact) => fact.fingerprint === fingerprint),
  }
}

/** The active values of the slot that a new value replaces. */
function listReplaced(
  { operation, payload }: Pick<PlannedOperation, 'operation' | 'payload'>,
  claims: readonly CurrentClaim[],
): string[] {
  if (operation !== 'set_claim_value') return []
  const entity = toCanonicalName(String(payload['entity'] ?? ''))
  return claims
    .filter(
      (claim) =>
        claim.status === 'active' &&
        (claim.entityId === payload['entity_id'] || toCanonicalName(claim.entityName) === entity) &&
        claim.aspect === toCanonicalName(String(payload['aspect'] ?? '')) &&
        claim.claimKey === payload['claim_key'],
    )
    .map(({ attributeId }) => attributeId)
}
