import type { z } from 'zod'
import type { Caller } from '../../../kernel/auth/caller.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { invalidRequest, notFound, Refusal } from '../../../kernel/errors/refusal.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import { normalizeValue } from '../../knowledge/index.ts'
import { parseItem } from '../evidence/evidence.ts'
import { type EvidenceReader, readEvidence } from '../evidence/read-evidence.ts'
import type { OntologyNeeds } from '../needs.ts'
import { citeEvidence, toItem } from '../operations/cite-evidence.ts'
import { isAutomated, parseEvidence } from '../operations/request.ts'
import { linkEvidence } from '../proposals/create-proposals.ts'
import { ontologyRefusal } from '../refusals.ts'
import { actorOf } from '../schemas.ts'
import { findAssertion, insertAssertion, updateActive } from '../store/assertions.ts'
import type { Assertion } from './assertion.ts'
import { readAssertion } from './read-assertions.ts'
import type { assertionBody } from './schemas.ts'

type Body = z.output<typeof assertionBody>
type Author = Pick<Caller, 'agentId' | 'name' | 'role' | 'actorType' | 'sessionKey'>

const defaultConfidence = 0.7
const maxContentLength = 8_000

/** Stores a statement of a speaker about an entity. The graph does not change. */
export async function createAssertion(
  needs: OntologyNeeds,
  caller: Author,
  body: Body,
  db: Db = needs.db,
) {
  return transaction(db, async (db) => {
    await needs.memory.projections.lock(db)
    const subjectEntityId = await selectSubject(needs, db, { agentId: caller.agentId, body })
    const content = readContent(body)
    const source = readSource(needs, body)
    const assertion = await complete(needs, db, { caller, body, subjectEntityId, content, source })
    await insert(needs, db, assertion)
    return readAssertion(needs, db, assertion)
  })
}

/** Replaces an active assertion by a new one with the same subject. */
export async function supersedeAssertion(
  needs: OntologyNeeds,
  caller: Author,
  { id, ...body }: Body & { readonly id: string },
) {
  return transaction(needs.db, async (db) => {
    await needs.memory.projections.lock(db)
    const { agentId } = caller
    const previous = await requireActive(db, agentId, id)
    if (body.entity !== undefined || body.entity_id !== undefined)
      await assertSameSubject(needs, db, { agentId, body, previous })
    const content = readContent(body)
    const own = readSource(needs, body)
    const source = hasSource(own) ? own : pickSource(previous)
    const inherited = {
      ...body,
      predicate: body.predicate ?? previous.predicate,
      speaker: body.speaker ?? (previous.speaker as Body['speaker']) ?? undefined,
    }
    const { subjectEntityId } = previous
    const next = await complete(needs, db, {
      caller,
      body: inherited,
      subjectEntityId,
      content,
      source,
    })
    const set = { status: 'superseded', updatedAt: next.createdAt } as const
    if (!(await updateActive(db, previous, set))) throw ontologyRefusal('assertion_not_active')
    await insert(needs, db, { ...next, supersedesAssertionId: id })
    return readAssertion(needs, db, next)
  })
}

/** Links an assertion to an active claim value of its subject. */
export async function linkClaim(
  needs: OntologyNeeds,
  { agentId, id, attributeId }: Readonly<Record<'agentId' | 'id' | 'attributeId', string>>,
) {
  return transaction(needs.db, async (db) => {
    await needs.memory.projections.lock(db)
    const assertion = await requireActive(db, agentId, id)
    const { subjectEntityId } = assertion
    await assertClaimOf(needs, db, { agentId, attributeId, subjectEntityId })
    const updatedAt = needs.host.now().toISOString()
    await updateActive(db, assertion, { claimAttributeId: attributeId, updatedAt })
    return readAssertion(needs, db, assertion)
  })
}

interface Archive {
  readonly agentId: string
  readonly id: string
  readonly actor: string
  readonly reason: string | undefined
}

/** Its evidence does not change. */
export async function archiveAssertion(
  needs: OntologyNeeds,
  { agentId, id, actor, reason }: Archive,
) {
  return transaction(needs.db, async (db) => {
    const assertion = await requireActive(db, agentId, id)
    const at = needs.host.now().toISOString()
    const archived = { archivedAt: at, archivedBy: actor, archiveReason: reason ?? null }
    const set = { ...archived, status: 'archived', updatedAt: at } as const
    if (!(await updateActive(db, assertion, set))) throw ontologyRefusal('assertion_not_active')
    return readAssertion(needs, db, assertion)
  })
}

async function requireActive(db: Db, agentId: string, id: string): Promise<Assertion> {
  const assertion = await findAssertion(db, agentId, id)
  if (!assertion) throw notFound('Assertion not found')
  if (assertion.status !== 'active') throw ontologyRefusal('assertion_not_active')
  return assertion
}

interface SubjectInput {
  readonly agentId: string
  readonly body: Pick<Body, 'entity' | 'entity_id'>
}

async function selectSubject(
  { knowledge }: OntologyNeeds,
  db: Db,
  { agentId, body: { entity: name, entity_id: id } }: SubjectInput,
): Promise<string> {
  if (name === undefined && id === undefined)
    throw invalidRequest('entity or entity_id is required')
  const selector = id === undefined ? { name } : { id }
  try {
    return (await knowledge.write.selectEntity(db, agentId, selector)).id
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'not_found') throw error
    throw notFound(`${id === undefined ? 'entity' : 'entity_id'} was not found`)
  }
}

async function assertSameSubject(
  needs: OntologyNeeds,
  db: Db,
  { previous, ...input }: SubjectInput & { readonly previous: Assertion },
): Promise<void> {
  const subjectId = await selectSubject(needs, db, input)
  const { subjectEntityId } = previous
  const subjects = await needs.knowledge.subjects.read(db, input.agentId, [subjectEntityId])
  if (subjects.get(subjectEntityId)?.id !== subjectId) throw ontologyRefusal('subject_differs')
}

function readContent({ content }: Pick<Body, 'content'>): string {
  const text = content.toWellFormed()
  if (text.includes('\0')) throw invalidRequest('content must not contain NUL')
  if (text.length > maxContentLength)
    throw invalidRequest(`content must have at most ${maxContentLength} characters`)
  return text
}

type Source = Pick<Assertion, 'evidence' | 'sourceKind' | 'sourceId' | 'sourcePath' | 'sourceRoot'>

function readSource({ secretPolicy }: Pick<OntologyNeeds, 'secretPolicy'>, body: Body): Source {
  const { value: evidence } = redactContent(body.evidence ?? [], secretPolicy())
  return {
    evidence: parseEvidence(evidence),
    sourceKind: body.source_kind ?? null,
    sourceId: body.source_id ?? null,
    sourcePath: body.source_path ?? null,
    sourceRoot: body.source_root ?? null,
  }
}

function pickSource(assertion: Assertion): Source {
  const { evidence, sourceKind, sourceId, sourcePath, sourceRoot } = assertion
  return { evidence, sourceKind, sourceId, sourcePath, sourceRoot }
}

function hasSource({ evidence, sourceKind, sourceId, sourcePath }: Source): boolean {
  const named = [sourceKind, sourceId, sourcePath].some((field) => field !== null)
  return evidence.length > 0 || named
}

interface Draft {
  readonly caller: Author
  readonly body: Body
  readonly subjectEntityId: string
  readonly content: string
  readonly source: Source
}

async function complete(
  needs: OntologyNeeds,
  db: Db,
  { caller, body, subjectEntityId, content, source }: Draft,
): Promise<Assertion> {
  const { agentId } = caller
  if (!hasSource(source)) throw invalidRequest('evidence or source provenance is required')
  const attributeId = body.claim_attribute_id
  if (attributeId !== undefined)
    await assertClaimOf(needs, db, { agentId, attributeId, subjectEntityId })
  const visibility = await readVisibility(needs, db, { caller, source })
  const at = needs.host.now().toISOString()
  return {
    ...source,
    id: needs.host.newId(),
    agentId,
    observerId: agentId,
    subjectEntityId,
    claimAttributeId: attributeId ?? null,
    predicate: body.predicate ?? 'claims',
    content,
    normalizedContent: normalizeValue(content),
    speaker: body.speaker ?? null,
    assertedAt: body.asserted_at ?? at,
    confidence: Math.min(1, Math.max(0, body.confidence ?? defaultConfidence)),
    sessionKey: caller.sessionKey ?? findSession(source),
    visibility,
    status: 'active',
    supersedesAssertionId: null,
    archivedAt: null,
    archivedBy: null,
    archiveReason: null,
    createdBy: actorOf(caller, body.created_by).name,
    createdAt: at,
    updatedAt: at,
    withheldAt: null,
    subjectWithheldAt: null,
  }
}

/** Private when any source is private. Automated writers need a source that resolves. */
async function readVisibility(
  needs: OntologyNeeds,
  db: Db,
  { caller: { agentId, actorType }, source }: Pick<Draft, 'caller' | 'source'>,
): Promise<Assertion['visibility']> {
  const automated = isAutomated({ name: '', type: actorType })
  const { evidence } = source
  const rule = automated ? 'resolvable' : 'optional'
  const read: EvidenceReader = (ref) => readEvidence(needs, db, { ...ref, agentId })
  const cited = await citeEvidence(read, { evidence, source }, rule)
  if (automated && cited.length === 0) throw ontologyRefusal('evidence_required')
  return cited.some(({ visibility }) => visibility === 'private') ? 'private' : 'global'
}

function findSession(source: Source): string | null {
  const refs = [...source.evidence, toItem(source)].flatMap((item) => parseItem(item).refs)
  return refs.find(({ kind }) => kind === 'transcript')?.id ?? null
}

async function insert(needs: OntologyNeeds, db: Db, assertion: Assertion): Promise<void> {
  await insertAssertion(db, assertion)
  await linkEvidence(needs, db, assertion)
}

interface ClaimOf {
  readonly agentId: string
  readonly attributeId: string
  readonly subjectEntityId: string
}

async function assertClaimOf(
  { knowledge: { subjects, write } }: OntologyNeeds,
  db: Db,
  { agentId, attributeId, subjectEntityId }: ClaimOf,
): Promise<void> {
  const claim = await write.findClaim(db, agentId, attributeId)
  if (claim?.status !== 'active') throw notFound('claim attribute was not found')
  const subject = (await subjects.read(db, agentId, [subjectEntityId])).get(subjectEntityId)
  if (claim.entityId !== subject?.id) throw ontologyRefusal('claim_of_other_entity')
}
