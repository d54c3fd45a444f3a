import type { Db } from '../../../kernel/db/database.ts'
import { DatabaseConflict } from '../../../kernel/db/database-error.ts'
import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { knowledgeChanged } from '../events.ts'
import { parseItem } from '../evidence/evidence.ts'
import { createEvidenceReader } from '../evidence/read-evidence.ts'
import type { OntologyNeeds } from '../needs.ts'
import { invalid } from '../refusals.ts'
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
  readonly result: BatchResult
  readonly refusal: Refusal | undefined

  constructor(result: BatchResult, refusal?: Refusal) {
    super('The batch is rolled back.')
    this.result = result
    this.refusal = refusal
  }
}

/** An operation has failed without a savepoint of its own. */
class SavepointsNeeded extends Error {}

/** A failed batch of the mode `all`, with the first refusal. */
export interface AppliedBatch extends BatchResult {
  readonly refusal?: Refusal | undefined
}

/** The only way to change the graph. In the caller's transaction, if there is one. */
export async function applyOperations(
  needs: OntologyNeeds,
  batch: InternalBatch,
  db: Db = needs.db,
): Promise<AppliedBatch> {
  const count = batch.operations.length
  if (count < 1 || count > maxOperations)
    throw invalid(`operations must have 1 to ${maxOperations} items`)
  const apply = (run: ItemRunner) =>
    transaction(db, (db) => applyAll(needs, db, { batch, run })).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
      return { ...error.result, refusal: error.refusal }
    })
  try {
    return await apply(applyTogether)
  } catch (error) {
    // Most batches have no failure: only the others pay for a savepoint an operation.
    if (error instanceof SavepointsNeeded) return await apply(applyItem)
    throw error
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
): Promise<BatchResult> {
  await needs.memory.projections.lock(db)
  const batchId = needs.host.newId()
  const { agentId, operations } = batch
  const refs = operations.flatMap(({ evidence }) => evidence.flatMap((one) => parseItem(one).refs))
  const read = await createEvidenceReader(needs, db, { agentId, refs })
  const known = operations.length > 1 ? await readKnown(needs, db, batch) : undefined
  const items: ItemResult[] = []
  const applied: AppliedOperation[] = []
  for (let index = 0; index < operations.length; index++) {
    const { done, item, refusal } = await run(needs, db, { batch, batchId, index, read, known })
    items.push(item)
    if (done) applied.push(done)
    known?.invalidateBy(item.changes)
    if (refusal && batch.mode === 'all')
      throw new RolledBack({ ok: false, batchId: null, items }, refusal)
  }
  await finishOperations(needs, db, applied)
  const result = { ok: items.every(({ ok }) => ok), batchId, items }
  if (batch.dryRun) throw new RolledBack(result)
  announce(needs, db, { agentId, batchId, items })
  return result
}

/** The entities and aspects that the claims of the batch name. */
function readKnown(
  { knowledge }: Pick<OntologyNeeds, 'knowledge'>,
  db: Db,
  { agentId, operations }: InternalBatch,
) {
  const namesIn = (field: string) =>
    operations
      .map(({ payload }) => payload[field])
      .filter((name): name is string => typeof name === 'string')
  const names = { entities: namesIn('entity'), aspects: namesIn('aspect') }
  return knowledge.write.readKnownRows(db, agentId, names)
}

/** In a savepoint, so that a refused operation leaves nothing. */
async function applyItem(needs: OntologyNeeds, db: Db, at: Position) {
  const attempt = () => transaction(db, (db) => applyOne(needs, db, at))
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
    if (error instanceof Refusal || error instanceof DatabaseConflict) throw new SavepointsNeeded()
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
