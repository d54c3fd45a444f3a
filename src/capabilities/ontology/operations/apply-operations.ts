import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../kernel/db/database.ts'
import { DatabaseConflict } from '../../../kernel/db/database-error.ts'
import {
  afterCommit,
  settleAll,
  settleDeferred,
  transaction,
} from '../../../kernel/db/transaction.ts'
import { invalidRequest, Refusal } from '../../../kernel/errors/refusal.ts'
import { knowledgeChanged } from '../events.ts'
import { type EvidenceRef, parseItem } from '../evidence/evidence.ts'
import { createEvidenceReader } from '../evidence/read-evidence.ts'
import type { OntologyNeeds } from '../needs.ts'
import type { Proposal } from '../proposal.ts'
import { type AppliedOperation, applyOne, finishOperations } from './apply-one.ts'
import {
  type BatchResult,
  type InternalBatch,
  type ItemResult,
  maxOperations,
  type Position,
  toItemError,
} from './request.ts'

/** Rolls the transaction of a batch back, and carries its result. */
class RolledBack extends Error {
  readonly result: AppliedBatch
  readonly refusal: Refusal | undefined

  constructor(result: AppliedBatch, refusal?: Refusal) {
    super('The batch is rolled back.')
    this.result = result
    this.refusal = refusal
  }
}

/** An operation has failed without a savepoint of its own. */
class SavepointsNeeded extends Error {}

export interface AppliedBatch extends BatchResult {
  /** The audit rows of the applied operations. */
  readonly proposals: readonly Proposal[]
  /** The first one of a failed batch of the mode `all`. */
  readonly refusal?: Refusal | undefined
}

/** Operations without a break for other work of the event loop. */
const operationsPerTurn = 8

/** The only way to change the graph. In the caller's transaction, if there is one. */
export async function applyOperations(
  needs: OntologyNeeds,
  batch: InternalBatch,
  db: Db = needs.db,
): Promise<AppliedBatch> {
  const count = batch.operations.length
  if (count < 1 || count > maxOperations)
    throw invalidRequest(`operations must have 1 to ${maxOperations} items`)
  const apply = (run: ItemRunner) =>
    transaction(db, (db) => applyAll(needs, db, { batch, run })).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
      return { ...error.result, refusal: error.refusal }
    })
  try {
    return await apply(applyTogether)
  } catch (error) {
    // Most batches have no failure: only the others pay for a savepoint an operation.
    if (!(error instanceof SavepointsNeeded || error instanceof DatabaseConflict)) throw error
    return await apply(applyItem)
  }
}

type ItemRunner = typeof applyItem

interface Applying {
  readonly batch: InternalBatch
  readonly run: ItemRunner
}

async function applyAll(
  needs: OntologyNeeds,
  db: Db,
  { batch, run }: Applying,
): Promise<AppliedBatch> {
  const batchId = needs.host.newId()
  const { agentId, operations } = batch
  const refs = operations.flatMap(({ evidence }) => evidence.flatMap((one) => parseItem(one).refs))
  // Sent together: the database locks first.
  const [, read, known] = await Promise.all([
    needs.memory.projections.lock(db),
    createEvidenceReader(needs, db, { agentId, refs }),
    needs.knowledge.write.readKnownRows(db, agentId, toNamed(operations, refs)),
  ])
  const items: ItemResult[] = []
  const applied: AppliedOperation[] = []
  const pendingStatements: Promise<unknown>[] = []
  for (let index = 0; index < operations.length; index++) {
    const position = { batch, batchId, index, read, known, pendingStatements }
    const { done, item, refusal } = await run(needs, db, position)
    if (index % operationsPerTurn === 0) await setImmediate()
    items.push(item)
    if (done) applied.push(done)
    if (refusal && batch.mode === 'all')
      throw new RolledBack({ ok: false, batchId: null, items, proposals: [] }, refusal)
  }
  await settleAll([...pendingStatements, finishOperations(needs, db, applied)])
  const proposals = applied.map(({ proposal }) => proposal)
  const result = { ok: items.every(({ ok }) => ok), batchId, items, proposals }
  if (batch.dryRun) throw new RolledBack(result)
  announce(needs, db, { agentId, batchId, items })
  return result
}

/** The rows that the claims of the batch name. */
function toNamed(
  operations: InternalBatch['operations'],
  refs: readonly EvidenceRef[],
): Parameters<OntologyNeeds['knowledge']['write']['readKnownRows']>[2] {
  const slots = operations.flatMap(({ payload }) => {
    const read = (...names: string[]) =>
      names.map((name) => payload[name]).find((value) => typeof value === 'string')
    const [entity, aspect] = [read('entity'), read('aspect')]
    const claimKey = read('claim_key', 'claimKey', 'claim')
    const groupKey = read('group_key', 'groupKey', 'group')
    return entity && aspect && claimKey ? [{ entity, aspect, groupKey, claimKey }] : []
  })
  const names = operations.flatMap(({ operation, payload: { name } }) =>
    operation === 'create_entity' && typeof name === 'string' ? [name] : [],
  )
  const memoryIds = refs.flatMap(({ kind, id }) => (kind === 'memory' ? [id] : []))
  return { slots, names, memoryIds: [...new Set(memoryIds)].filter((id) => !id.includes('\0')) }
}

/** In a savepoint, so that a refused operation leaves nothing. */
async function applyItem(needs: OntologyNeeds, db: Db, at: Position) {
  const attempt = () =>
    transaction(db, async (db) => {
      const done = await applyOne(needs, db, at)
      await settleDeferred(db, at.pendingStatements.splice(0))
      return done
    }).catch((error: unknown) => {
      at.known.clear()
      at.pendingStatements.length = 0
      throw error
    })
  try {
    const done = await attempt().catch((error: unknown) => {
      // Another writer was first. The second attempt finds its row.
      if (error instanceof DatabaseConflict) return attempt()
      throw error
    })
    return { done, item: done.item, refusal: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const failed = { ok: false, status: 'failed', proposalId: null, result: null } as const
    const item = { ...failed, index: at.index, error: toItemError(error), changes: [] }
    return { done: undefined, item, refusal: error }
  }
}

/** In the savepoint of the batch. Any failure rolls the batch back. */
async function applyTogether(
  needs: OntologyNeeds,
  db: Db,
  at: Position,
): ReturnType<typeof applyItem> {
  try {
    const done = await applyOne(needs, db, at)
    return { done, item: done.item, refusal: undefined }
  } catch (error) {
    if (error instanceof Refusal) throw new SavepointsNeeded()
    throw error
  }
}

interface Announcement {
  readonly agentId: string
  readonly batchId: string
  readonly items: readonly ItemResult[]
}

function announce(
  { events }: Pick<OntologyNeeds, 'events'>,
  db: Db,
  { agentId, batchId, items }: Announcement,
): void {
  const proposalIds = items.flatMap(({ proposalId }) => (proposalId === null ? [] : [proposalId]))
  if (proposalIds.length === 0) return
  afterCommit(db, () => events.emit(knowledgeChanged, { agentId, batchId, proposalIds }))
}
