import { transaction } from '../../../kernel/db/transaction.ts'
import type { Entity } from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import { applyOperations } from '../operations/apply-operations.ts'
import type { Actor, OperationRequest } from '../operations/request.ts'
import type { JsonObject, Proposal } from '../proposal.ts'
import { listPendingFingerprints } from '../store/proposals.ts'
import { createProposals } from './create-proposals.ts'
import { fingerprintOf } from './fingerprint.ts'

const noSource = { sourceKind: null, sourceId: null, sourcePath: null, sourceRoot: null }

interface PlanRequest {
  readonly agentId: string
  readonly actor: Actor
  readonly payload: JsonObject
}

/** What a merge would move. Nothing is written. */
async function planMerge(needs: OntologyNeeds, { agentId, actor, payload }: PlanRequest) {
  const { items, refusal } = await applyOperations(needs, {
    agentId,
    actor: { ...actor, type: 'operator' },
    origin: { kind: 'operations', id: null },
    mode: 'all',
    dryRun: true,
    citations: 'optional',
    operations: [toRequest(payload, { confidence: undefined, rationale: '', risk: null })],
  })
  const changes = items[0]?.changes ?? []
  const count = (name: string) =>
    new Set(changes.filter(({ table }) => table === name).map(({ rowId }) => rowId)).size
  const impact = {
    aspects: count('entityAspects'),
    attributes: count('entityAttributes'),
    links: count('entityDependencies'),
  }
  return { refusal, impact, result: items[0]?.result ?? null }
}

export async function readPlan(needs: OntologyNeeds, request: PlanRequest) {
  const { refusal, impact, result } = await planMerge(needs, request)
  if (refusal) throw refusal
  return { operation: 'merge_entities', payload: request.payload, impact, ...result, dryRun: true }
}

function toRequest(
  payload: JsonObject,
  more: Pick<OperationRequest, 'confidence' | 'rationale' | 'risk'>,
): OperationRequest {
  return { operation: 'merge_entities', payload, evidence: [], source: noSource, ...more }
}

interface RepairRequest {
  readonly agentId: string
  readonly actor: Actor
  readonly limit: number
  readonly writes: boolean
}

/** Entities whose names differ in punctuation or spacing only, with a merge for each group. */
export async function repairDuplicates(
  needs: OntologyNeeds,
  { agentId, actor, limit, writes }: RepairRequest,
) {
  const groups = await needs.knowledge.write.listDuplicates(needs.db, agentId, limit)
  const items = []
  for (const entities of groups) items.push(await toItem(needs, { agentId, actor, entities }))
  const open = items.filter(({ blocked }) => !blocked)
  const requests = open.map(({ payload, ...item }) => toRequest(payload, item))
  const proposals = writes ? await propose(needs, { agentId, actor, requests }) : []
  return {
    items,
    proposals,
    count: items.length,
    writtenCount: proposals.length,
    skippedCount: writes ? open.length - proposals.length : 0,
    dryRun: !writes,
  }
}

interface Proposing extends Pick<RepairRequest, 'agentId' | 'actor'> {
  readonly requests: readonly OperationRequest[]
}

/** Leaves out the merges that are pending already, also those of a request at the same time. */
function propose(
  needs: OntologyNeeds,
  { agentId, actor, requests }: Proposing,
): Promise<readonly Proposal[]> {
  return transaction(needs.db, async (db) => {
    await needs.memory.projections.lock(db)
    const fingerprints = requests.map(({ payload }) => fingerprintOfMerge(payload))
    const pending = await listPendingFingerprints(db, agentId, fingerprints)
    const fresh = requests.filter(({ payload }) => !pending.has(fingerprintOfMerge(payload)))
    if (fresh.length === 0) return []
    return createProposals(needs, { agentId, createdBy: actor.name, requests: fresh }, db)
  })
}

function fingerprintOfMerge(payload: JsonObject): string {
  return fingerprintOf({ ...noSource, operation: 'merge_entities', payload })
}

interface Group extends Pick<RepairRequest, 'agentId' | 'actor'> {
  readonly entities: readonly Entity[]
}

async function toItem(needs: OntologyNeeds, { agentId, actor, entities }: Group) {
  const [target, ...sources] = entities.toSorted(bySurvival)
  const payload = { target_id: target?.id, source_ids: sources.map(({ id }) => id) }
  const { refusal, impact } = await planMerge(needs, { agentId, actor, payload })
  const isSameType = sources.every(({ entityType }) => entityType === target?.entityType)
  const confidence = isSameType ? 0.86 : 0.72
  const blocked = refusal !== undefined
  return {
    operation: 'merge_entities',
    canonicalName: target?.canonicalName ?? '',
    target: describe(target),
    sources: sources.map(describe),
    payload,
    impact,
    warnings: refusal ? [refusal.message] : [],
    blocked,
    confidence,
    risk: blocked ? 'blocked' : isSameType ? 'low' : 'review_required',
    rationale: `The names of ${entities.length} entities differ in punctuation or spacing only.`,
    evidence: [],
  }
}

function describe(entity: Entity | undefined) {
  if (!entity) return null
  const { id, name, entityType, mentions, pinned } = entity
  return { id, name, entityType, mentions, pinned: pinned === 1 }
}

/** Pinned first, then most mentioned, newest and shortest. */
function bySurvival(a: Entity, b: Entity): number {
  return (
    b.pinned - a.pinned ||
    b.mentions - a.mentions ||
    b.updatedAt.localeCompare(a.updatedAt) ||
    a.name.length - b.name.length
  )
}
