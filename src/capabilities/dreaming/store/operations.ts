import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import type { StagedOperation } from '../pass.ts'
import { type ToolCallRow, tables, toOperation, toOperationRow } from './rows.ts'

export async function insertOperations(
  db: Db,
  operations: readonly StagedOperation[],
): Promise<void> {
  for (const part of listParts(operations.map(toOperationRow)))
    await tables(db).insertInto('dreamingOperations').values(part).execute()
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

/** Saves what has become of stored operations. */
export async function updateOutcomes(
  db: Db,
  operations: readonly StagedOperation[],
): Promise<void> {
  for (const part of listParts(operations.map(toOperationRow)))
    await tables(db)
      .insertInto('dreamingOperations')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['passId', 'position']).doUpdateSet(({ ref }) => ({
          state: ref('excluded.state'),
          error: ref('excluded.error'),
          proposalId: ref('excluded.proposalId'),
          batchId: ref('excluded.batchId'),
          attributeId: ref('excluded.attributeId'),
          facts: ref('excluded.facts'),
        })),
      )
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

/** Who has planned the operations that wrote claim values. */
export async function listClaimOrigins(db: Db, agentId: string) {
  const rows = await tables(db)
    .selectFrom('dreamingOperations')
    .select(['attributeId', 'origin'])
    .where('agentId', '=', agentId)
    .where('state', '=', 'applied')
    .where('attributeId', 'is not', null)
    .execute()
  return new Map(rows.map(({ attributeId, origin }) => [attributeId, origin]))
}

/** Fingerprints of operations that wait for a person, or have been decided by one. */
export async function listProposed(
  db: Db,
  agentId: string,
  fingerprints: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const part of listParts(fingerprints)) {
    const rows = await tables(db)
      .selectFrom('dreamingOperations')
      .select('fingerprint')
      .where('agentId', '=', agentId)
      .where('state', '=', 'proposed')
      .where('fingerprint', 'in', part)
      .execute()
    for (const { fingerprint } of rows) if (fingerprint !== null) found.add(fingerprint)
  }
  return found
}

const maxCalls = 2_000

export function listToolCalls(db: Db, passId: string): Promise<ToolCallRow[]> {
  return tables(db)
    .selectFrom('dreamingToolCalls')
    .selectAll()
    .where('passId', '=', passId)
    .orderBy('sequence')
    .limit(maxCalls)
    .execute()
}

export async function insertToolCall(db: Db, row: ToolCallRow): Promise<void> {
  await tables(db).insertInto('dreamingToolCalls').values(row).execute()
}
