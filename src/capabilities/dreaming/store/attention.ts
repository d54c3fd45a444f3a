import type { Db } from '../../../kernel/db/database.ts'
import { type AttentionRow, type ExclusionRow, tables } from './rows.ts'

/** The most urgent first. */
export function listPendingAttention(
  db: Db,
  agentId: string,
  limit: number,
): Promise<AttentionRow[]> {
  return tables(db)
    .selectFrom('dreamingAttention')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('state', '=', 'pending')
    .orderBy('priority', 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countPendingAttention(db: Db, agentId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('dreamingAttention')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Pending items that came after a time. */
export async function countFreshAttention(db: Db, agentId: string, since: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('dreamingAttention')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('state', '=', 'pending')
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findAttentionOf(
  db: Db,
  { agentId, kind, subjectRef }: Pick<AttentionRow, 'agentId' | 'kind' | 'subjectRef'>,
) {
  return tables(db)
    .selectFrom('dreamingAttention')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('kind', '=', kind)
    .where('subjectRef', '=', subjectRef)
    .executeTakeFirst()
}

export async function insertAttention(db: Db, row: AttentionRow): Promise<void> {
  await tables(db)
    .insertInto('dreamingAttention')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateAttention(
  db: Db,
  id: string,
  set: Partial<AttentionRow>,
): Promise<void> {
  await tables(db).updateTable('dreamingAttention').set(set).where('id', '=', id).execute()
}

export async function findLeastUrgent(db: Db, agentId: string) {
  return await tables(db)
    .selectFrom('dreamingAttention')
    .select(['id', 'priority'])
    .where('agentId', '=', agentId)
    .where('state', '=', 'pending')
    .orderBy('priority')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest first. */
export function listExclusions(db: Db, agentId: string, limit: number): Promise<ExclusionRow[]> {
  return tables(db)
    .selectFrom('dreamingExclusions')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('resolvedAt', 'is', null)
    .orderBy('excludedAt', 'desc')
    .orderBy('sourceId')
    .limit(limit)
    .execute()
}

export function findAttention(db: Db, agentId: string, id: string) {
  return tables(db)
    .selectFrom('dreamingAttention')
    .selectAll()
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .executeTakeFirst()
}

/** False when the item is not pending. */
export async function resolveAttention(
  db: Db,
  { agentId, id }: Pick<AttentionRow, 'agentId' | 'id'>,
  ended: Pick<AttentionRow, 'resolvedBy' | 'resolvedAt'>,
): Promise<boolean> {
  const rows = await tables(db)
    .updateTable('dreamingAttention')
    .set({ ...ended, state: 'resolved' })
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .where('state', '=', 'pending')
    .returning('id')
    .execute()
  return rows.length === 1
}

type SourceKey = Pick<ExclusionRow, 'agentId' | 'sourceKind' | 'sourceId'>

/** An exclusion that is not resolved. */
export function findExclusion(db: Db, { agentId, sourceKind, sourceId }: SourceKey) {
  return tables(db)
    .selectFrom('dreamingExclusions')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('sourceKind', '=', sourceKind)
    .where('sourceId', '=', sourceId)
    .where('resolvedAt', 'is', null)
    .executeTakeFirst()
}

export async function saveExclusion(db: Db, row: ExclusionRow): Promise<void> {
  const { reason, passId, excludedAt, requeueRequestedAt, resolvedAt } = row
  await tables(db)
    .insertInto('dreamingExclusions')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'sourceKind', 'sourceId'])
        .doUpdateSet({ reason, passId, excludedAt, requeueRequestedAt, resolvedAt }),
    )
    .execute()
}

export async function updateExclusion(
  db: Db,
  { agentId, sourceKind, sourceId }: SourceKey,
  set: Partial<ExclusionRow>,
): Promise<void> {
  await tables(db)
    .updateTable('dreamingExclusions')
    .set(set)
    .where('agentId', '=', agentId)
    .where('sourceKind', '=', sourceKind)
    .where('sourceId', '=', sourceId)
    .execute()
}

/** Deletes the items about a subject, in any state. */
export async function deleteAttentionOf(
  db: Db,
  { agentId, subjectRef }: Pick<AttentionRow, 'agentId' | 'subjectRef'>,
): Promise<void> {
  await tables(db)
    .deleteFrom('dreamingAttention')
    .where('agentId', '=', agentId)
    .where('subjectRef', '=', subjectRef)
    .execute()
}
