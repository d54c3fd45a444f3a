import type { Db } from '../../../kernel/db/database.ts'
import { settleAll, settleDeferred } from '../../../kernel/db/transaction.ts'
import { invalidRequest } from '../../../kernel/errors/refusal.ts'
import { type Change, type GraphWrite, toUndoImage } from '../../knowledge/index.ts'
import { followStatus } from '../assertions/follow-subjects.ts'
import type { OntologyNeeds } from '../needs.ts'
import { type Proposal, riskOf } from '../proposal.ts'
import { fingerprintOf } from '../proposals/fingerprint.ts'
import { ontologyRefusal } from '../refusals.ts'
import { insertChanges } from '../store/changes.ts'
import { insertEvidenceLinks, insertProposals, updateProposal } from '../store/proposals.ts'
import { findOperation } from './catalogue.ts'
import { citeEvidence, findOwnQuote } from './cite-evidence.ts'
import { saveContradictions } from './contradictions.ts'
import { toEntityLinks } from './entity-links.ts'
import { readFields } from './fields.ts'
import type { NewContradiction, Operation, OperationContext } from './operation.ts'
import {
  type InternalBatch,
  type ItemResult,
  isAutomated,
  type OperationRequest,
  type Position,
} from './request.ts'

const defaultConfidence = 0.7
/** The images of an operation come after those of the operations before it. */
const maxImages = 1_000_000

/** An operation that has changed the graph. Its audit row is written with those of the batch. */
export interface AppliedOperation {
  readonly item: ItemResult
  readonly write: GraphWrite
  readonly proposal: Proposal
  /** The proposal was pending. */
  readonly isStored: boolean
  readonly contradictions: readonly NewContradiction[]
}

/** Applies one operation with its citations, in the caller's transaction. */
export async function applyOne(
  needs: OntologyNeeds,
  db: Db,
  position: Position,
): Promise<AppliedOperation> {
  const { batch, batchId, index, known, pendingStatements } = position
  const { agentId, actor } = batch
  const request = batch.operations[index]
  const operation = request && findOperation(request.operation)
  if (!request || !operation) throw invalidRequest('operation is invalid')
  const fields = readFields(request.payload)
  if (isAutomated(actor) && fields.flag('force')) throw ontologyRefusal('autonomous_force_denied')
  const stored = batch.proposals?.[index]
  const proposalId = stored?.id ?? needs.host.newId()
  const sources = await readSources(position, request, operation)
  const author = { name: actor.name, actorType: actor.type, sessionId: null, requestId: null }
  const { write: graph } = needs.knowledge
  const quote = findOwnQuote(request.evidence)
  const write = graph.begin({
    db,
    agentId,
    actor: author,
    proposalId,
    sources,
    quote,
    known,
    pendingStatements,
  })
  const contradictions: NewContradiction[] = []
  const context: OperationContext = {
    graph,
    write,
    isAutomated: isAutomated(actor),
    confidence: request.confidence,
    origin: request.source,
    contradictions,
  }
  const run = async () => {
    const result = await operation.run(context, fields)
    await graph.settle(write)
    await followStatus(needs, write)
    return result
  }
  const result = await run().catch(async (error: unknown) => {
    // A statement that failed before is the cause: PostgreSQL then refuses the next ones.
    await settleDeferred(db, pendingStatements)
    throw error
  })
  const proposal = toProposal(request, { batch, batchId, stored, proposalId, result, write })
  const status = write.changes.length === 0 ? 'no_change' : 'applied'
  const item = { index, ok: true, status, proposalId, result, changes: write.changes } as const
  return { item, write, proposal, isStored: stored !== undefined, contradictions }
}

async function readSources(
  { batch: { actor, citations }, read }: Position,
  { evidence, source }: OperationRequest,
  { isContent }: Operation,
) {
  const rule = isAutomated(actor) && citations === 'optional' ? 'resolvable' : citations
  const sources = await citeEvidence(read, { evidence, source }, rule)
  const isRequired = rule === 'exact-quote' || rule === 'resolvable'
  if (isRequired && isContent && sources.length === 0) throw ontologyRefusal('evidence_required')
  return sources
}

interface Applied {
  readonly batch: InternalBatch
  readonly batchId: string
  readonly stored: Proposal | undefined
  readonly proposalId: string
  readonly result: Readonly<Record<string, unknown>>
  readonly write: GraphWrite
}

function toProposal(
  request: OperationRequest,
  { batch, batchId, stored, proposalId, result, write }: Applied,
): Proposal {
  const { agentId, actor, origin } = batch
  const { operation, payload, evidence, rationale, source } = request
  const confidence = request.confidence ?? defaultConfidence
  const base: Proposal = stored ?? {
    ...source,
    id: proposalId,
    agentId,
    operation,
    status: 'applied',
    payload,
    confidence,
    rationale,
    evidence,
    risk: riskOf({ confidence, risk: request.risk }),
    createdBy: actor.name,
    appliedBy: null,
    rejectedBy: null,
    result: null,
    createdAt: write.at,
    updatedAt: write.at,
    appliedAt: null,
    rejectedAt: null,
    batchId: null,
    origin: origin.id === null ? origin.kind : `${origin.kind}:${origin.id}`,
    undoneBy: null,
    imageCount: 0,
    fingerprint: fingerprintOf({ ...source, operation, payload }),
    withheldAt: null,
  }
  return {
    ...base,
    status: 'applied',
    appliedBy: actor.name,
    appliedAt: write.at,
    updatedAt: write.at,
    result,
    batchId,
    imageCount: write.changes.length,
  }
}

/** Writes what follows from operations: derived memories, contradictions, audit rows and images. */
export async function finishOperations(
  needs: OntologyNeeds,
  db: Db,
  applied: readonly AppliedOperation[],
): Promise<void> {
  const added = applied.filter(({ isStored }) => !isStored)
  const stored = applied.filter(({ isStored }) => isStored)
  const writes = applied.map(({ write }) => write)
  // Sent together: the database works on them in order.
  await settleAll([
    needs.knowledge.write.finish(db, writes),
    saveContradictions(needs, db, applied),
    insertProposals(
      db,
      added.map(({ proposal }) => proposal),
    ),
    ...stored.map(({ proposal }) => updateProposal(db, proposal)),
    insertEvidenceLinks(db, applied.flatMap(toLinks)),
    insertChanges(db, applied.flatMap(toChangeRows)),
  ])
}

function toLinks({ write, proposal }: AppliedOperation) {
  const { id: subjectId, agentId } = proposal
  const links = write.sources
    .filter(({ sourceKind }) => sourceKind !== 'ontology_proposal')
    .map(({ sourceKind, sourceId }) => ({ subjectId, sourceKind, sourceId, agentId, lostAt: null }))
  return links.length > 0 ? links : toEntityLinks(proposal, write)
}

function toChangeRows({ item, write, proposal }: AppliedOperation) {
  return write.changes.map((change, at) => ({
    proposalId: proposal.id,
    position: item.index * maxImages + at,
    agentId: proposal.agentId,
    ...toImages(change),
    createdAt: write.at,
  }))
}

function toImages(change: Change) {
  const { table: tableName, rowId, before, after } = toUndoImage(change)
  return { tableName, rowId, before: before && JSON.stringify(before), after }
}
