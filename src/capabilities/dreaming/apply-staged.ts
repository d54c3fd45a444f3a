import type { Db } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { applyInBatches, type Outcome, proposeOperations } from './apply-batches.ts'
import { mintFlag } from './apply-operations.ts'
import type { DreamingNeeds } from './needs.ts'
import type { Pass, StagedOperation } from './pass.ts'
import { findAttention, resolveAttention } from './store/attention.ts'
import { queueOperations } from './union.ts'

interface Staged {
  readonly pass: Pick<Pass, 'id' | 'agentId'>
  readonly operations: readonly StagedOperation[]
}

type Outcomes = ReadonlyMap<number, Outcome>

/** Applies operations of a plan: to the graph, to the review queue, or to the queue of attention. */
export async function applyStaged(
  needs: DreamingNeeds,
  db: Db,
  { pass, operations }: Staged,
): Promise<Outcomes> {
  const stale = new Map<number, Outcome>()
  for (const operation of operations)
    if (!(await isProvenancePending(db, operation)))
      stale.set(operation.position, toOutcome('failed', 'attention: the item is not pending.'))
  const valid = operations.filter(({ position }) => !stale.has(position))
  const queue = valid.filter(({ operation }) => queueOperations.has(operation))
  const graph = valid.filter(({ operation }) => !queueOperations.has(operation))
  const direct = graph.filter(({ risk }) => risk !== 'review_required')
  const doubtful = graph.filter(({ risk }) => risk === 'review_required')
  const outcomes = new Map([
    ...stale,
    ...(direct.length > 0 ? await applyInBatches(needs, db, { pass, operations: direct }) : []),
    ...(await proposeOperations(needs, db, { pass, operations: doubtful })),
    ...(await applyQueue(needs, db, { pass, operations: queue })),
  ])
  await resolveProvenance(needs, db, { pass, operations: graph }, outcomes)
  return outcomes
}

function toOutcome(state: Outcome['state'], error: string | null = null): Outcome {
  return { state, error, proposalId: null, batchId: null, attributeId: null }
}

function toAttentionId(provenance: string): string {
  return provenance.replace(/^attention:/, '')
}

async function isProvenancePending(
  db: Db,
  { agentId, provenance }: StagedOperation,
): Promise<boolean> {
  if (provenance === null) return true
  const item = await findAttention(db, agentId, toAttentionId(provenance))
  return item?.state === 'pending'
}

async function applyQueue(
  needs: DreamingNeeds,
  db: Db,
  { pass: { agentId, id: resolvedBy }, operations }: Staged,
): Promise<Outcomes> {
  const outcomes = new Map<number, Outcome>()
  for (const { position, operation, payload } of operations) {
    if (operation === 'flag') {
      outcomes.set(position, await applyFlag(needs, db, { agentId, operation: { payload } }))
      continue
    }
    const id = toAttentionId(String(payload['attentionId']))
    const ended = { resolvedBy, resolvedAt: needs.host.now().toISOString() }
    const isResolved = await resolveAttention(db, { agentId, id }, ended)
    outcomes.set(position, toOutcome(isResolved ? 'applied' : 'no_change'))
  }
  return outcomes
}

async function applyFlag(
  needs: DreamingNeeds,
  db: Db,
  flag: Parameters<typeof mintFlag>[2],
): Promise<Outcome> {
  try {
    await mintFlag(needs, db, flag)
    return toOutcome('applied')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return toOutcome('failed', error.message)
  }
}

/** An item of attention is finished by the operation that cites it. */
async function resolveProvenance(
  { host }: DreamingNeeds,
  db: Db,
  { pass: { agentId, id: resolvedBy }, operations }: Staged,
  outcomes: Outcomes,
): Promise<void> {
  const ended = { resolvedBy, resolvedAt: host.now().toISOString() }
  for (const { position, provenance } of operations) {
    const state = outcomes.get(position)?.state
    if (provenance === null || (state !== 'applied' && state !== 'no_change')) continue
    await resolveAttention(db, { agentId, id: toAttentionId(provenance) }, ended)
  }
}
