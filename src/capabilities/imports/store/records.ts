import type { Db } from '../../../kernel/db/database.ts'
import { insertRows } from '../../../kernel/db/insert-rows.ts'
import { finalRejections, type ImportRecord, type RecordStatus } from '../import-job.ts'
import { type ConversationRow, type IdentityRow, tables } from './rows.ts'

/** Writes outcomes with their audit rows. A repeated attempt replaces the outcome. */
export async function upsertRecords(db: Db, records: readonly ImportRecord[]): Promise<void> {
  if (records.length === 0) return
  const saved = insertRows(db, 'transcriptImportRecords', records, (conflict) =>
    conflict.column('id').doUpdateSet(({ ref }) => ({
      status: ref('excluded.status'),
      rejectionCode: ref('excluded.rejectionCode'),
      canonicalId: ref('excluded.canonicalId'),
      canonicalKey: ref('excluded.canonicalKey'),
      externalIdentity: ref('excluded.externalIdentity'),
      conversationFingerprint: ref('excluded.conversationFingerprint'),
      attemptCount: ref('excluded.attemptCount'),
      updatedAt: ref('excluded.updatedAt'),
    })),
  )
  const attempts = records.map(
    ({ id, attemptCount, agentId, status, rejectionCode, updatedAt }) => {
      return {
        recordId: id,
        attempt: attemptCount,
        agentId,
        status,
        rejectionCode,
        createdAt: updatedAt,
      }
    },
  )
  await Promise.all([
    saved,
    insertRows(db, 'sourceImportRecordAttempts', attempts, (conflict) => conflict.doNothing()),
  ])
}

interface RecordPage {
  readonly jobId: string
  readonly status: RecordStatus
  readonly after?: { readonly fileOrdinal: number; readonly ordinal: number } | undefined
  readonly limit: number
}

/** In the order of the files and their lines. */
export function listRecords(db: Db, { jobId, status, after, limit }: RecordPage) {
  const query = tables(db)
    .selectFrom('transcriptImportRecords')
    .selectAll()
    .where('jobId', '=', jobId)
    .where('status', '=', status)
    .orderBy('fileOrdinal')
    .orderBy('ordinal')
    .limit(limit)
  if (!after) return query.execute()
  return query
    .where(({ eb, or, and }) =>
      or([
        eb('fileOrdinal', '>', after.fileOrdinal),
        and([eb('fileOrdinal', '=', after.fileOrdinal), eb('ordinal', '>', after.ordinal)]),
      ]),
    )
    .execute()
}

/** Rejections that another attempt may resolve. Returns their number. */
export async function resetRejections(db: Db, jobId: string, now: string): Promise<number> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('transcriptImportRecords')
    .set({ status: 'pending', rejectionCode: null, updatedAt: now })
    .where('jobId', '=', jobId)
    .where('status', '=', 'rejected')
    .where('rejectionCode', 'not in', finalRejections)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function cancelRecords(db: Db, jobId: string, now: string): Promise<void> {
  await tables(db)
    .updateTable('transcriptImportRecords')
    .set({ status: 'cancelled', rejectionCode: 'cancelled_by_user', updatedAt: now })
    .where('jobId', '=', jobId)
    .where('status', '=', 'pending')
    .execute()
}

export async function listIdentities(db: Db, agentId: string, identities: readonly string[]) {
  if (identities.length === 0) return []
  return tables(db)
    .selectFrom('transcriptImportConversations')
    .select(['externalIdentity', 'conversationFingerprint', 'state'])
    .where('agentId', '=', agentId)
    .where('externalIdentity', 'in', identities)
    .execute()
}

export async function upsertIdentities(db: Db, rows: readonly IdentityRow[]): Promise<void> {
  await insertRows(db, 'transcriptImportConversations', rows, (conflict) =>
    conflict.columns(['agentId', 'externalIdentity']).doUpdateSet(({ ref }) => ({
      canonicalKey: ref('excluded.canonicalKey'),
      conversationFingerprint: ref('excluded.conversationFingerprint'),
      canonicalId: ref('excluded.canonicalId'),
      ownerSourceId: ref('excluded.ownerSourceId'),
      ownerRecordId: ref('excluded.ownerRecordId'),
      state: ref('excluded.state'),
      updatedAt: ref('excluded.updatedAt'),
    })),
  )
}

export async function insertConversations(db: Db, rows: readonly ConversationRow[]): Promise<void> {
  await insertRows(db, 'importedConversations', rows)
}
