import type { z } from 'zod'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { invalidRequest, Refusal } from '../../../kernel/errors/refusal.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import type { OntologyNeeds } from '../needs.ts'
import { applyOperations } from '../operations/apply-operations.ts'
import { readFields } from '../operations/fields.ts'
import {
  type ItemResult,
  isAutomated,
  type OperationBatch,
  type OperationRequest,
  parseOperation,
} from '../operations/request.ts'
import { undo } from '../operations/undo.ts'
import * as wire from '../schemas.ts'
import { createProposals, parseOperations } from './create-proposals.ts'
import { readVisible } from './read-proposals.ts'
import { applyProposal } from './review.ts'

/** A proposal without a named author is of the operator. */
function createdByOf(caller: Caller, requested: string | undefined): string {
  const { name } = wire.actorOf(caller, requested)
  return name === 'daemon' ? 'operator' : name
}

export async function proposeOne(
  needs: OntologyNeeds,
  caller: Caller,
  { created_by, ...body }: z.output<typeof wire.proposalBody>,
) {
  const requests = [parseOne(needs, body)]
  const createdBy = createdByOf(caller, created_by)
  const [proposal] = await createProposals(needs, { agentId: caller.agentId, createdBy, requests })
  if (!proposal) throw invalidRequest('operation is required')
  return proposal
}

function parseOne({ secretPolicy }: OntologyNeeds, body: object): OperationRequest {
  return parseOperation(redactContent(body, secretPolicy()).value)
}

export async function proposeBatch(
  needs: OntologyNeeds,
  caller: Caller,
  body: z.output<typeof wire.proposalsBody>,
) {
  const { proposals, created_by, agentId: _, agent_id: __, ...shared } = body
  const items = proposals.map((item) => ({ ...shared, ...Object(item) }))
  const requests = parseOperations(needs, items, 'proposals')
  const createdBy = createdByOf(caller, created_by)
  const authors = proposals.map((item) =>
    createdByOf(caller, readAuthor(needs, item) ?? created_by),
  )
  const { agentId } = caller
  const created = await createProposals(needs, { agentId, createdBy, authors, requests })
  return { items: created, count: created.length }
}

/** The author that an item of a batch names. */
function readAuthor({ secretPolicy }: OntologyNeeds, item: unknown): string | undefined {
  return readFields(redactContent({ ...Object(item) }, secretPolicy()).value).text('created_by')
}

interface ApplyCall extends z.output<typeof wire.applyBody> {
  readonly id: string
}

export async function applyOne(
  needs: OntologyNeeds,
  caller: Caller,
  { id, actor: name, dry_run: dryRun = false }: ApplyCall,
) {
  const { agentId } = caller
  const actor = wire.actorOf(caller, name)
  const { items } = await applyProposal(needs, { agentId, id, actor, dryRun })
  const proposal = await readVisible(needs, agentId, id)
  const [item] = items
  return dryRun
    ? { ...proposal, result: item?.result ?? null, dryRun, changes: item?.changes ?? [] }
    : proposal
}

interface UndoCall extends z.output<typeof wire.undoBody> {
  readonly proposalId?: string
  readonly batchId?: string | undefined
}

export async function undoOne(needs: OntologyNeeds, caller: Caller, call: UndoCall) {
  const { actor, reason, dry_run: dryRun = false, proposalId, batchId } = call
  const request = {
    agentId: caller.agentId,
    actor: wire.actorOf(caller, actor),
    ...(proposalId !== undefined && { proposalId }),
    ...(batchId !== undefined && { batchId }),
    reason,
    dryRun,
  }
  const { proposalId: id, undoneIds, changes } = await undo(needs, request)
  return { id, undoneIds, dryRun, ...(dryRun && { changes }) }
}

/** What a request applies at once. */
export interface Batch extends Pick<OperationBatch, 'operations'> {
  readonly actor: string | undefined
  readonly dryRun: boolean
}

/** All or nothing. Throws the first refusal of a single operation. */
function applyBatch(
  needs: OntologyNeeds,
  caller: Caller,
  { operations, actor: name, dryRun }: Batch,
) {
  const actor = wire.actorOf(caller, name)
  return applyOperations(needs, {
    agentId: caller.agentId,
    actor,
    origin: { kind: 'operations', id: null },
    mode: 'all',
    dryRun,
    citations: isAutomated(actor) ? 'resolvable' : 'matching',
    operations,
  })
}

/** One operation of a route, with its result and its audit row. */
export async function applySingle(needs: OntologyNeeds, caller: Caller, batch: Batch) {
  const { items, proposals, refusal } = await applyBatch(needs, caller, batch)
  if (refusal) throw refusal
  const [[item], [proposal]] = [items, proposals]
  if (!item || !proposal) throw invalidRequest('operation is required')
  return { item, proposal }
}

type OperationCall = z.output<typeof wire.operationBody>

export async function applyNow(needs: OntologyNeeds, caller: Caller, call: OperationCall) {
  const { actor, dry_run: dryRun = false, propose = false, ...body } = call
  if (propose) return proposeOne(needs, caller, { ...body, created_by: actor })
  const operations = [parseOne(needs, body)]
  const { item, proposal } = await applySingle(needs, caller, { operations, actor, dryRun })
  if (!dryRun) return proposal
  const { result, changes } = item
  return { operation: operations[0]?.operation ?? '', result, dryRun, changes }
}

type BatchCall = z.output<typeof wire.operationsBody>

export async function applyManyNow(needs: OntologyNeeds, caller: Caller, call: BatchCall) {
  const { actor, dry_run: dryRun = false, propose = false, operations: input } = call
  const operations = parseOperations(needs, input, 'operations')
  if (propose) {
    const createdBy = createdByOf(caller, actor)
    const { agentId } = caller
    const items = await createProposals(needs, { agentId, createdBy, requests: operations })
    return { ok: true, batchId: null, items }
  }
  const { ok, batchId, items, refusal } = await applyBatch(needs, caller, {
    operations,
    actor,
    dryRun,
  })
  if (refusal) {
    const { kind, code, message, details } = refusal
    throw new Refusal(kind, code, message, { ...details, ok, items: items.map(toWire) })
  }
  return { ok, batchId, dryRun, items: items.map(toWire) }
}

function toWire({ changes, ...item }: ItemResult) {
  return { ...item, changes: changes.length }
}
