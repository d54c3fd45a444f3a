import type { Db } from '../../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import { invalidRequest, notFound } from '../../../kernel/errors/refusal.ts'
import { type Change, digestOf, type UndoImage } from '../../knowledge/index.ts'
import { followStatus } from '../assertions/follow-subjects.ts'
import { knowledgeChanged } from '../events.ts'
import type { OntologyNeeds } from '../needs.ts'
import type { Proposal } from '../proposal.ts'
import { fingerprintOf } from '../proposals/fingerprint.ts'
import { ontologyRefusal } from '../refusals.ts'
import { deleteChanges, listChanges } from '../store/changes.ts'
import {
  findProposal,
  insertEvidenceLinks,
  insertProposals,
  listOfBatch,
  updateProposal,
} from '../store/proposals.ts'
import type { ChangeRow } from '../store/rows.ts'
import { undoOperation } from './catalogue.ts'
import { saveContradictions } from './contradictions.ts'
import { toEntityLinks } from './entity-links.ts'
import type { Actor } from './request.ts'

export interface UndoRequest {
  readonly agentId: string
  readonly actor: Actor
  readonly proposalId?: string | undefined
  readonly batchId?: string | undefined
  readonly reason?: string | undefined
  readonly dryRun: boolean
}

export interface UndoResult {
  /** The audit row of the undo. */
  readonly proposalId: string
  readonly undoneIds: readonly string[]
  readonly changes: readonly Change[]
}

/** Rolls a dry run back, and carries its result. */
class DryRun extends Error {
  readonly result: UndoResult

  constructor(result: UndoResult) {
    super('The dry run is rolled back.')
    this.result = result
  }
}

/** Puts the rows of an operation, or of a batch, back as they were. */
export async function undo(
  needs: OntologyNeeds,
  request: UndoRequest,
  db: Db = needs.db,
): Promise<UndoResult> {
  try {
    return await transaction(db, (db) => undoAll(needs, db, request))
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}

async function undoAll(needs: OntologyNeeds, db: Db, request: UndoRequest): Promise<UndoResult> {
  const { agentId, actor, dryRun } = request
  await needs.memory.projections.lock(db)
  const proposals = await readUndoable(needs, db, request)
  const undoneIds = proposals.map(({ id }) => id)
  const images = await listImages(db, proposals)
  const proposalId = needs.host.newId()
  const author = { name: actor.name, actorType: actor.type, sessionId: null, requestId: null }
  const { write: graph } = needs.knowledge
  const write = graph.begin({ db, agentId, actor: author, proposalId, sources: [] })
  await graph.restoreRows(write, images.map(toImage))
  await graph.finish(db, [write])
  await saveContradictions(needs, db, [{ write, contradictions: [] }])
  await followStatus(needs, write)
  await deleteChanges(db, undoneIds)
  const undone = { undoneBy: proposalId, updatedAt: write.at }
  for (const proposal of proposals) await updateProposal(db, { ...proposal, ...undone })
  const audit = toAudit(request, { proposalId, undoneIds, at: write.at })
  await insertProposals(db, [audit])
  await insertEvidenceLinks(db, toEntityLinks(audit, write))
  const result = { proposalId, undoneIds, changes: write.changes }
  if (dryRun) throw new DryRun(result)
  const batchId = proposals[0]?.batchId ?? proposalId
  const event = { agentId, batchId, proposalIds: [proposalId] }
  afterCommit(db, () => needs.events.emit(knowledgeChanged, event))
  return result
}

async function readUndoable(needs: OntologyNeeds, db: Db, request: UndoRequest) {
  const proposals = await readProposals(db, request)
  const applied = proposals.filter(
    ({ status, undoneBy, operation }) =>
      status === 'applied' && undoneBy === null && operation !== undoOperation,
  )
  if (applied.length === 0) throw ontologyRefusal('not_applied')
  const oldest = needs.host.now().getTime() - needs.config().undoDays * 86_400_000
  const isExpired = ({ appliedAt }: Proposal) => Date.parse(appliedAt ?? '') < oldest
  if (applied.some(isExpired)) throw ontologyRefusal('undo_expired')
  return applied
}

async function readProposals(
  db: Db,
  { agentId, proposalId, batchId }: UndoRequest,
): Promise<readonly Proposal[]> {
  if (proposalId === undefined && batchId === undefined)
    throw invalidRequest('batch_id is required')
  const proposals =
    proposalId === undefined
      ? await listOfBatch(db, agentId, batchId ?? '')
      : [await findProposal(db, agentId, proposalId)].filter((one) => one !== undefined)
  if (proposals.length === 0)
    throw notFound(proposalId === undefined ? 'Batch not found' : 'Proposal not found')
  return proposals
}

async function listImages(db: Db, proposals: readonly Proposal[]): Promise<readonly ChangeRow[]> {
  const images = await listChanges(
    db,
    proposals.map(({ id }) => id),
  )
  const expected = proposals.reduce((sum, { imageCount }) => sum + imageCount, 0)
  if (images.length !== expected) throw ontologyRefusal('undo_expired')
  return images
}

function toImage({ tableName, rowId, before, after }: ChangeRow): UndoImage {
  return {
    table: tableName as Change['table'],
    rowId,
    before: before === null ? null : JSON.parse(before),
    after: isWholeRow(after) ? digestOf(JSON.parse(after)) : after,
  }
}

/** Images of earlier versions have the row instead of its digest. */
function isWholeRow(after: string | null): after is string {
  return after?.startsWith('{') ?? false
}

interface Undone {
  readonly proposalId: string
  readonly undoneIds: readonly string[]
  readonly at: string
}

function toAudit(request: UndoRequest, { proposalId, undoneIds, at }: Undone): Proposal {
  const { agentId, actor, batchId, reason = '' } = request
  const payload = { proposal_ids: undoneIds, ...(batchId !== undefined && { batch_id: batchId }) }
  const source = { sourceKind: null, sourceId: null, sourcePath: null, sourceRoot: null }
  return {
    ...source,
    id: proposalId,
    agentId,
    operation: undoOperation,
    status: 'applied',
    payload,
    confidence: 1,
    rationale: reason,
    evidence: [],
    risk: null,
    createdBy: actor.name,
    appliedBy: actor.name,
    rejectedBy: null,
    result: { undoneIds },
    createdAt: at,
    updatedAt: at,
    appliedAt: at,
    rejectedAt: null,
    batchId: null,
    origin: 'undo',
    undoneBy: null,
    imageCount: 0,
    fingerprint: fingerprintOf({ ...source, operation: undoOperation, payload }),
    withheldAt: null,
  }
}
