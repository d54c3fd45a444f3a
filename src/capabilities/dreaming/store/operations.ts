import type { Db } from '../../../kernel/db/database.ts'
import type { StagedOperation } from '../pass.ts'
import { listParts, type OperationRow, tables, toOperation, toOperationRow } from './rows.ts'

export async function insertOperations(
  db: Db,
  operations: readonly StagedOperation[],
): Promise<void> {
  for (const part of listParts(operations.map(toOperationRow)))
    for (const half of [part.slice(0, 25), part.slice(25)])
      if (half.length > 0) await tables(db).insertInto('dreamingOperations').values(half).execute()
  const citations = operations.flatMap(({ passId, position, agentId, evidence }) =>
    evidence.map(({ sourceKind, sourceId }) => ({
      passId,
      position,
      agentId,
      sourceKind,
      sourceId,
    })),
  )
  for (const part of listParts(citations))
    await tables(db)
      .insertInto('dreamingCitations')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

export async function listOperations(db: Db, passId: string): Promise<StagedOperation[]> {
  const rows = await tables(db)
    .selectFrom('dreamingOperations')
    .selectAll()
    .where('passId', '=', passId)
    .orderBy('position')
    .execute()
  return rows.map(toOperation)
}

export async function updateOperation(
  db: Db,
  { passId, position }: Pick<StagedOperation, 'passId' | 'position'>,
  set: Partial<OperationRow>,
): Promise<void> {
  await tables(db)
    .updateTable('dreamingOperations')
    .set(set)
    .where('passId', '=', passId)
    .where('position', '=', position)
    .execute()
}

/** Operations by their state, of passes since a time. */
export async function countStatesSince(db: Db, agentId: string, since: string) {
  const rows = await tables(db)
    .selectFrom('dreamingOperations as operation')
    .innerJoin('dreamingPasses as pass', 'pass.id', 'operation.passId')
    .select('operation.state')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('operation.agentId', '=', agentId)
    .where('pass.startedAt', '>=', since)
    .groupBy('operation.state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state, Number(count)]))
}
