import type { Db } from '../../kernel/db/database.ts'
import type { BatchResult, OperationRequest } from '../ontology/index.ts'
import type { DreamingNeeds } from './needs.ts'
import { batchLength, type OperationState, type Pass, type StagedOperation } from './pass.ts'

/** What became of an operation. */
export interface Outcome {
  readonly state: Extract<OperationState, 'applied' | 'no_change' | 'failed' | 'proposed'>
  readonly error: string | null
  readonly proposalId: string | null
  readonly batchId: string | null
  readonly attributeId: string | null
}

interface Batches {
  readonly pass: Pick<Pass, 'id' | 'agentId'>
  readonly operations: readonly StagedOperation[]
}

const actor = { name: 'dreaming', type: 'pipeline' } as const

/** Applies operations one by one: a failure undoes its own operation only. By position. */
export async function applyInBatches(
  { ontology }: Pick<DreamingNeeds, 'ontology'>,
  db: Db,
  { pass, operations }: Batches,
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>()
  for (let at = 0; at < operations.length; at += batchLength) {
    const part = operations.slice(at, at + batchLength)
    const { batchId, items } = await ontology.applyOperations(
      {
        agentId: pass.agentId,
        actor,
        origin: { kind: 'dreaming', id: pass.id },
        mode: 'each',
        dryRun: false,
        citations: 'exact-quote',
        operations: part.map(toRequest),
      },
      db,
    )
    for (const item of items)
      outcomes.set(part[item.index]?.position ?? -1, toOutcome(item, batchId))
  }
  return outcomes
}

function toOutcome(
  { status, proposalId, result, error }: BatchResult['items'][number],
  batchId: string | null,
): Outcome {
  const attributeId = result?.['attributeId'] ?? result?.['replacementAttributeId']
  return {
    state: status,
    error: error ? `${error.code}: ${error.message}` : null,
    proposalId,
    batchId: status === 'failed' ? null : batchId,
    attributeId: typeof attributeId === 'string' ? attributeId : null,
  }
}

function toRequest(operation: StagedOperation): OperationRequest {
  const { payload, evidence, confidence, reason, risk } = operation
  return {
    operation: operation.operation,
    payload,
    evidence: evidence.map(({ sourceKind, sourceId, quote }) => ({
      source_kind: sourceKind,
      source_id: sourceId,
      quote,
    })),
    confidence: confidence ?? undefined,
    rationale: reason,
    risk,
    source: { sourceKind: null, sourceId: null, sourcePath: null, sourceRoot: null },
  }
}

/** Operations that a person must decide on become pending proposals. */
export async function proposeOperations(
  { ontology }: Pick<DreamingNeeds, 'ontology'>,
  db: Db,
  { pass, operations }: Batches,
): Promise<ReadonlyMap<number, Outcome>> {
  if (operations.length === 0) return new Map()
  const requests = operations.map(toRequest)
  const proposals = await ontology.propose(
    { agentId: pass.agentId, createdBy: actor.name, requests },
    db,
  )
  return new Map(
    operations.map(({ position }, at) => [
      position,
      {
        state: 'proposed',
        error: null,
        proposalId: proposals[at]?.id ?? null,
        batchId: null,
        attributeId: null,
      },
    ]),
  )
}
