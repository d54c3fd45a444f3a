import type { Db } from '../../kernel/db/database.ts'

interface SessionRow {
  readonly agentId: string
  readonly sessionKey: string
}

/** How far the transcript of a session was read. */
interface Cursor extends SessionRow {
  readonly lastOffset: number
  readonly updatedAt: string
}

export interface CompactionRow extends SessionRow {
  readonly summaryHash: string
  readonly memoryId: string | null
  readonly contextEpoch: number
  readonly createdAt: string
}

/** A compaction that a harness has announced and not completed. */
interface PendingCompaction extends SessionRow {
  readonly preparedAt: string
}

/** That a harness has used a skill. */
export interface InvocationRow extends SessionRow {
  readonly id: string
  readonly harness: string
  readonly skillName: string
  /** By which a harness tells one use from another; null where it does not. */
  readonly toolUseId: string | null
  readonly latencyMs: number | null
  readonly success: 0 | 1
  readonly errorText: string | null
  readonly createdAt: string
}

type Tables = {
  sessionExtractCursors: Cursor
  sessionCompactions: CompactionRow
  sessionPendingCompactions: PendingCompaction
  skillInvocations: InvocationRow
}
const tables = (db: Db) => db.withTables<Tables>()

export async function findCursor(db: Db, { agentId, sessionKey }: SessionRow) {
  const row = await tables(db)
    .selectFrom('sessionExtractCursors')
    .select('lastOffset')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .executeTakeFirst()
  return row?.lastOffset
}

export async function upsertCursor(db: Db, cursor: Cursor): Promise<void> {
  const { lastOffset, updatedAt } = cursor
  await tables(db)
    .insertInto('sessionExtractCursors')
    .values(cursor)
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet({ lastOffset, updatedAt }),
    )
    .execute()
}

export async function deleteCursor(db: Db, { agentId, sessionKey }: SessionRow): Promise<void> {
  await tables(db)
    .deleteFrom('sessionExtractCursors')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .execute()
}

export function findCompaction(
  db: Db,
  { agentId, sessionKey }: SessionRow,
  { summaryHash, after }: { readonly summaryHash: string; readonly after: string },
): Promise<CompactionRow | undefined> {
  return tables(db)
    .selectFrom('sessionCompactions')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('summaryHash', '=', summaryHash)
    .where('createdAt', '>', after)
    .executeTakeFirst()
}

/** False when the same was done after that; of several at once it is true for one, and the others wait for it. */
export async function insertCompaction(
  db: Db,
  compaction: CompactionRow,
  after: string,
): Promise<boolean> {
  const { memoryId, contextEpoch, createdAt } = compaction
  const rows = await tables(db)
    .insertInto('sessionCompactions')
    .values(compaction)
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'sessionKey', 'summaryHash'])
        .doUpdateSet({ memoryId, contextEpoch, createdAt })
        .where('sessionCompactions.createdAt', '<=', after),
    )
    .returning('contextEpoch')
    .execute()
  return rows.length === 1
}

export async function updateCompaction(
  db: Db,
  { agentId, sessionKey, summaryHash, contextEpoch }: Omit<CompactionRow, 'memoryId' | 'createdAt'>,
): Promise<void> {
  await tables(db)
    .updateTable('sessionCompactions')
    .set({ contextEpoch })
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('summaryHash', '=', summaryHash)
    .execute()
}

export async function upsertPendingCompaction(db: Db, pending: PendingCompaction): Promise<void> {
  const { preparedAt } = pending
  await tables(db)
    .insertInto('sessionPendingCompactions')
    .values(pending)
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet({ preparedAt }),
    )
    .execute()
}

/** Gives the time of the pre-compaction and deletes it; undefined where the harness announced none. */
export async function takePendingCompaction(
  db: Db,
  { agentId, sessionKey }: SessionRow,
): Promise<string | undefined> {
  const row = await tables(db)
    .deleteFrom('sessionPendingCompactions')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .returning('preparedAt')
    .executeTakeFirst()
  return row?.preparedAt
}

/** False when this use is there already. */
export async function insertInvocation(db: Db, invocation: InvocationRow): Promise<boolean> {
  const rows = await tables(db)
    .insertInto('skillInvocations')
    .values(invocation)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.length === 1
}

export async function deleteInvocationsBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('skillInvocations').where('createdAt', '<', before).execute()
}

export async function deleteBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('sessionExtractCursors').where('updatedAt', '<', before).execute()
  await tables(db).deleteFrom('sessionCompactions').where('createdAt', '<', before).execute()
  await tables(db)
    .deleteFrom('sessionPendingCompactions')
    .where('preparedAt', '<', before)
    .execute()
}

export async function deleteAgentRows(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('sessionExtractCursors').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('sessionCompactions').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('sessionPendingCompactions').where('agentId', '=', agentId).execute()
  await tables(db).deleteFrom('skillInvocations').where('agentId', '=', agentId).execute()
}
