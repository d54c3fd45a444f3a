import { sql } from 'kysely'
import { deleteAgentRows, renameAgentRows } from '../../../kernel/db/agent-rows.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { activeStates, type ImportJob, type JobState } from '../import-job.ts'
import { ownedTables, tables } from './rows.ts'

export async function insertJob(db: Db, job: ImportJob): Promise<void> {
  await tables(db).insertInto('transcriptImportJobs').values(job).execute()
}

export function findJob(db: Db, agentId: string, id: string): Promise<ImportJob | undefined> {
  return tables(db)
    .selectFrom('transcriptImportJobs')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The newest first. */
export function listJobs(db: Db, agentId: string, limit: number): Promise<ImportJob[]> {
  return tables(db)
    .selectFrom('transcriptImportJobs')
    .selectAll()
    .where('agentId', '=', agentId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

type JobRef = Pick<ImportJob, 'id' | 'generation' | 'state'>

/** Compare-and-set on generation and state. False after a concurrent change. */
export async function updateJob(
  db: Db,
  { id, generation, state }: JobRef,
  changed: Partial<ImportJob>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('transcriptImportJobs')
    .set(changed)
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('state', '=', state)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

interface Claim {
  readonly leaseToken: string
  readonly leaseExpiresAt: string
  readonly now: string
}

/** Leases the oldest active job without a live lease. */
export async function claimJob(db: Db, claim: Claim): Promise<ImportJob | undefined> {
  const free = tables(db)
    .selectFrom('transcriptImportJobs')
    .select('id')
    .where(({ eb, or }) =>
      or([eb('leaseExpiresAt', 'is', null), eb('leaseExpiresAt', '<', claim.now)]),
    )
    .where(isActive)
    .orderBy('id')
    .limit(1)
  const { leaseToken, leaseExpiresAt, now } = claim
  return tables(db)
    .updateTable('transcriptImportJobs')
    .set({ leaseToken, leaseExpiresAt, updatedAt: now })
    .where('id', '=', free)
    .where(({ eb, or }) => or([eb('leaseExpiresAt', 'is', null), eb('leaseExpiresAt', '<', now)]))
    .where(isActive)
    .returningAll()
    .executeTakeFirst()
}

/** Literals, so that the index of active jobs serves it. */
const isActive = sql<boolean>`state in ('queued', 'inventorying', 'running')`

/** Releases the leases of a dead predecessor. */
export async function releaseLeases(db: Db, daemonId: string, now: string): Promise<number> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('transcriptImportJobs')
    .set({ leaseToken: null, leaseExpiresAt: null, state: 'queued', updatedAt: now })
    .where(isActive)
    .where(sql<boolean>`substr(lease_token, 1, ${daemonId.length}) = ${daemonId}`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The change of a lease holder. False when the lease is lost. */
export async function updateLeased(
  db: Db,
  { id, generation, leaseToken }: Pick<ImportJob, 'id' | 'generation' | 'leaseToken'>,
  changed: Partial<ImportJob>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('transcriptImportJobs')
    .set(changed)
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('leaseToken', '=', leaseToken)
    .where('state', 'in', activeStates)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export interface CountChanges {
  readonly total: number
  readonly imported: number
  readonly duplicate: number
  readonly rejected: number
  readonly pending: number
}

/** Adds to the counters of a leased job. Returns its control request; undefined when the lease is lost. */
export async function addCounts(
  db: Db,
  { id, generation, leaseToken }: Pick<ImportJob, 'id' | 'generation' | 'leaseToken'>,
  { changes, leaseExpiresAt, now }: AddedCounts,
): Promise<Pick<ImportJob, 'controlRequest'> | undefined> {
  return tables(db)
    .updateTable('transcriptImportJobs')
    .set(({ eb }) => ({
      total: eb('total', '+', changes.total),
      imported: eb('imported', '+', changes.imported),
      duplicate: eb('duplicate', '+', changes.duplicate),
      rejected: eb('rejected', '+', changes.rejected),
      pending: eb('pending', '+', changes.pending),
      leaseExpiresAt,
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('leaseToken', '=', leaseToken)
    .where('state', 'in', activeStates)
    .returning('controlRequest')
    .executeTakeFirst()
}

interface AddedCounts {
  readonly changes: CountChanges
  readonly leaseExpiresAt: string
  readonly now: string
}

/** Imports with an incomplete upload that no request has changed since a time. The oldest first. */
export function listIdleUploads(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<ImportJob[]> {
  return tables(db)
    .selectFrom('transcriptImportJobs as job')
    .selectAll('job')
    .where(sql<boolean>`state = 'staging'`)
    .where('job.updatedAt', '<', before)
    .where(({ and, not, exists, selectFrom }) => {
      const files = selectFrom('transcriptImportFiles as file')
        .select('file.id')
        .whereRef('file.jobId', '=', 'job.id')
      const isRecent = exists(files.where('file.updatedAt', '>=', before))
      return and([not(isRecent), exists(files.where('file.storageState', '=', 'uploading'))])
    })
    .orderBy('job.updatedAt')
    .limit(limit)
    .execute()
}

export function listJobsToClean(db: Db, limit: number): Promise<ImportJob[]> {
  return tables(db)
    .selectFrom('transcriptImportJobs')
    .selectAll()
    .where(sql<boolean>`cleanup_state = 'pending'`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function setCleanupState(
  db: Db,
  id: string,
  { cleanupState, updatedAt }: Pick<ImportJob, 'cleanupState' | 'updatedAt'>,
): Promise<void> {
  await tables(db)
    .updateTable('transcriptImportJobs')
    .set({ cleanupState, updatedAt })
    .where('id', '=', id)
    .execute()
}

export async function countJobs(db: Db, states: readonly JobState[]): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('transcriptImportJobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', 'in', states)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function deleteAgent(db: Db, agentId: string): Promise<void> {
  return deleteAgentRows(db, ownedTables, agentId)
}

/** Moves all rows of an agent to an inaccessible name. */
export async function renameAgent(db: Db, agentId: string, name: string): Promise<void> {
  await renameAgentRows(db, ownedTables, { agentId, name })
}
