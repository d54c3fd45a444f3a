import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import { tables } from './rows.ts'

/** Rows that one statement removes, so that other writers get their turn. */
const batchSize = 500

export async function listAgents(db: Db): Promise<string[]> {
  const rows = await tables(db).selectFrom('dreamingState').select('agentId').execute()
  return rows.map(({ agentId }) => agentId)
}

export async function deleteTracesBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('dreamingToolCalls').where('createdAt', '<', before).execute()
}

/** Removes the words of operations that can no longer be undone. Their counts stay. */
export async function eraseOperationsBefore(db: Db, before: string): Promise<void> {
  for (const part of listParts(await listPassesOfOperations(db, before, { withWords: true }))) {
    await tables(db)
      .updateTable('dreamingOperations')
      .set({ payload: '{}', evidence: '[]', subject: '', reason: '', facts: '[]' })
      .where('passId', 'in', part)
      .execute()
    await tables(db).deleteFrom('dreamingCitations').where('passId', 'in', part).execute()
  }
}

export async function deleteOperationsBefore(db: Db, before: string): Promise<void> {
  for (const part of listParts(await listPassesOfOperations(db, before, { withWords: false })))
    await tables(db).deleteFrom('dreamingOperations').where('passId', 'in', part).execute()
}

async function listPassesOfOperations(
  db: Db,
  before: string,
  { withWords }: { readonly withWords: boolean },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('dreamingOperations')
    .innerJoin('dreamingPasses', 'dreamingPasses.id', 'dreamingOperations.passId')
    .select('dreamingPasses.id')
    .distinct()
    .where('dreamingPasses.startedAt', '<', before)
    .$if(withWords, (query) => query.where('dreamingOperations.payload', '<>', '{}'))
    .limit(batchSize)
    .execute()
  return rows.map(({ id }) => id)
}

/** Ended passes with everything of them. */
export async function deletePassesBefore(db: Db, before: string, agentId?: string): Promise<void> {
  for (;;) {
    const ids = await listPassIds(db, before, agentId)
    for (const part of listParts(ids)) {
      for (const table of ['dreamingOperations', 'dreamingCitations', 'dreamingToolCalls'] as const)
        await tables(db).deleteFrom(table).where('passId', 'in', part).execute()
      await tables(db).deleteFrom('dreamingPasses').where('id', 'in', part).execute()
    }
    if (ids.length < batchSize) return
  }
}

async function listPassIds(db: Db, before: string, agentId?: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('dreamingPasses')
    .select('id')
    .where('startedAt', '<', before)
    .where('status', '<>', 'running')
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
    .orderBy('startedAt')
    .limit(batchSize)
    .execute()
  return rows.map(({ id }) => id)
}

/** The start of the oldest pass that an agent may have; undefined where it has fewer. */
export async function findNthStart(
  db: Db,
  agentId: string,
  count: number,
): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('dreamingPasses')
    .select('startedAt')
    .where('agentId', '=', agentId)
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt
}

export async function deleteResolvedExclusions(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('dreamingExclusions').where('resolvedAt', '<', before).execute()
}

/** Leaves the newest sources of each statement. */
export async function trimFacts(db: Db, agentId: string, maxSources: number): Promise<void> {
  const crowded = await tables(db)
    .selectFrom('dreamingFacts')
    .select('fingerprint')
    .where('agentId', '=', agentId)
    .groupBy('fingerprint')
    .having(({ fn }) => fn.countAll<number>(), '>', maxSources)
    .limit(batchSize)
    .execute()
  for (const { fingerprint } of crowded) {
    const last = await tables(db)
      .selectFrom('dreamingFacts')
      .select('assertedAt')
      .where('agentId', '=', agentId)
      .where('fingerprint', '=', fingerprint)
      .orderBy('assertedAt', 'desc')
      .offset(maxSources - 1)
      .limit(1)
      .executeTakeFirst()
    await tables(db)
      .deleteFrom('dreamingFacts')
      .where('agentId', '=', agentId)
      .where('fingerprint', '=', fingerprint)
      .where('assertedAt', '<', last?.assertedAt ?? '')
      .execute()
  }
}
