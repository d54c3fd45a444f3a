import { transaction } from '../../../kernel/db/transaction.ts'
import { applyInBatches, type Outcome } from '../apply-batches.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Pass, StagedOperation } from '../pass.ts'
import { queueOperations } from '../union.ts'

/** Carries the outcomes out of the transaction that is rolled back. */
class TriedOut extends Error {
  readonly outcomes: ReadonlyMap<number, Outcome>

  constructor(outcomes: ReadonlyMap<number, Outcome>) {
    super('The plan is tried out.')
    this.outcomes = outcomes
  }
}

/** Applies the sound operations and rolls them back, so that the plan shows what would fail. */
export async function tryOperations(
  needs: DreamingNeeds,
  pass: Pass,
  operations: readonly StagedOperation[],
): Promise<readonly StagedOperation[]> {
  const planned = operations.filter(
    ({ state, risk, operation }) =>
      state === 'planned' && risk === null && !queueOperations.has(operation),
  )
  if (planned.length === 0) return operations
  const outcomes = await transaction(
    needs.db,
    async (db): Promise<ReadonlyMap<number, Outcome>> => {
      throw new TriedOut(await applyInBatches(needs, db, { pass, operations: planned }))
    },
  ).catch((error: unknown) => {
    if (error instanceof TriedOut) return error.outcomes
    throw error
  })
  return operations.map((operation) => {
    const outcome = outcomes.get(operation.position)
    return outcome?.state === 'failed'
      ? { ...operation, state: 'refused', error: outcome.error }
      : operation
  })
}
