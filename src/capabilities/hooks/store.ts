import { deleteAgentRows } from '../../kernel/db/agent-rows.ts'
import type { Db } from '../../kernel/db/database.ts'

interface SessionRow {
  readonly agentId: string
  readonly sessionKey: string
}

/** The position up to which the transcript of a session was read. */
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

/** A notice that a session has shown. */
interface NoticeRow extends SessionRow {
  readonly noticeId: string
  readonly createdAt: string
}

type Tables = {
  hookNotices: NoticeRow
  sessionExtractCursors: Cursor
  sessionCompactions: CompactionRow
  sessionPendingCompactions: PendingCompaction
}
const tables = (db: Db) => db.withTables<Tables>()

export async function findCursor(db: Db, { agentId, sessionKey }: SessionRow) {
  const row = await tables(db)
    .selectFrom('sessionExtractCursors')
    .select('lastOffset')
    .where(({ eb }) => eb.and({ agentId, sessionKey }))
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
    .where(({ eb }) => eb.and({ agentId, sessionKey }))
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
    .where(({ eb }) => eb.and({ agentId, sessionKey, summaryHash }))
    .where('createdAt', '>', after)
    .executeTakeFirst()
}

/** False if the same compaction is newer than `after`. Of concurrent calls, one returns true. */
export async function insertCompaction(
  db: Db,
  compaction: CompactionRow,
  after: string,
): Promise<boolean> {
  const { memoryId, contextEpoch, createdAt } = compaction
  const row = await tables(db)
    .insertInto('sessionCompactions')
    .values(compaction)
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'sessionKey', 'summaryHash'])
        .doUpdateSet({ memoryId, contextEpoch, createdAt })
        .where('sessionCompactions.createdAt', '<=', after),
    )
    .returning('contextEpoch')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasCompaction(db: Db, { agentId, sessionKey }: SessionRow): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('sessionCompactions')
    .select('createdAt')
    .where(({ eb }) => eb.and({ agentId, sessionKey }))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateCompaction(
  db: Db,
  { agentId, sessionKey, summaryHash, contextEpoch }: Omit<CompactionRow, 'memoryId' | 'createdAt'>,
): Promise<void> {
  await tables(db)
    .updateTable('sessionCompactions')
    .set({ contextEpoch })
    .where(({ eb }) => eb.and({ agentId, sessionKey, summaryHash }))
    .execute()
}

export async function upsertPendingCompaction(
  db: Db,
  compaction: PendingCompaction,
): Promise<void> {
  const { preparedAt } = compaction
  await tables(db)
    .insertInto('sessionPendingCompactions')
    .values(compaction)
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet({ preparedAt }),
    )
    .execute()
}

/** Deletes the row and returns its time. Undefined if the harness announced no compaction. */
export async function takePendingCompaction(
  db: Db,
  { agentId, sessionKey }: SessionRow,
): Promise<string | undefined> {
  const row = await tables(db)
    .deleteFrom('sessionPendingCompactions')
    .where(({ eb }) => eb.and({ agentId, sessionKey }))
    .returning('preparedAt')
    .executeTakeFirst()
  return row?.preparedAt
}

/** False for a notice that the session has shown. */
export async function insertNotice(db: Db, notice: NoticeRow): Promise<boolean> {
  const row = await tables(db)
    .insertInto('hookNotices')
    .values(notice)
    .onConflict((conflict) => conflict.doNothing())
    .returning('noticeId')
    .executeTakeFirst()
  return row !== undefined
}

interface ShownFilter {
  readonly agentId: string
  readonly noticeIds: readonly string[]
}

/** The notices of these ids that any session of the agent has shown. */
export function listShownNotices(db: Db, { agentId, noticeIds }: ShownFilter) {
  return tables(db)
    .selectFrom('hookNotices')
    .select(['noticeId', 'sessionKey'])
    .where('agentId', '=', agentId)
    .where('noticeId', 'in', noticeIds)
    .execute()
}

export async function deleteNoticesBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('hookNotices').where('createdAt', '<', before).execute()
}

export async function deleteBefore(db: Db, before: string): Promise<void> {
  const own = tables(db)
  await own.deleteFrom('sessionExtractCursors').where('updatedAt', '<', before).execute()
  await own.deleteFrom('sessionCompactions').where('createdAt', '<', before).execute()
  await own.deleteFrom('sessionPendingCompactions').where('preparedAt', '<', before).execute()
}

const ownedTables = [
  'hookNotices',
  'sessionExtractCursors',
  'sessionCompactions',
  'sessionPendingCompactions',
] as const satisfies readonly (keyof Tables)[]

export function deleteAgent(db: Db, agentId: string): Promise<void> {
  return deleteAgentRows(db, ownedTables, agentId)
}
