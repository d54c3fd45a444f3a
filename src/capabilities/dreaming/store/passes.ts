import type { Db } from '../../../kernel/db/database.ts'
import { toIdRange } from '../../../kernel/db/id-prefix.ts'
import type { Pass } from '../pass.ts'
import { type PassRow, tables, toPass, toPassRow } from './rows.ts'

export async function findPass(db: Db, agentId: string, id: string): Promise<Pass | undefined> {
  const row = await tables(db)
    .selectFrom('dreamingPasses')
    .selectAll()
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .executeTakeFirst()
  return row && toPass(row)
}

/** No check of the agent: for the job of the pass. */
export async function findRunning(db: Db, id: string): Promise<Pass | undefined> {
  const row = await tables(db)
    .selectFrom('dreamingPasses')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return row && toPass(row)
}

export interface PassPage {
  readonly limit: number
  /** Older than this pass. */
  readonly before?: string | undefined
  readonly idPrefix?: string | undefined
}

/** The large columns: what a pass has read. */
type Details = 'evidenceWindow' | 'nearDuplicates'

/** All but the details. */
const listedColumns = [
  'id',
  'agentId',
  'mode',
  'engine',
  'triggerKind',
  'dryRun',
  'status',
  'disposition',
  'owner',
  'leaseUntil',
  'startedAt',
  'completedAt',
  'appliedCount',
  'skippedCount',
  'failedCount',
  'sourceCount',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheCreationTokens',
  'costMicros',
  'costKnown',
  'stoppedBy',
  'modelStatus',
  'modelError',
  'summary',
  'error',
  'runbook',
  'skipped',
] as const satisfies readonly Exclude<keyof PassRow, Details>[]

const noDetails = {
  evidenceWindow: '{"cursor":"0","sources":[]}',
  nearDuplicates: '[]',
} as const satisfies Pick<PassRow, Details>

export type ListedPass = Omit<Pass, 'window' | 'nearDuplicates'>

/** The newest first. */
export async function listPasses(
  db: Db,
  agentId: string,
  { limit, before, idPrefix }: PassPage,
): Promise<ListedPass[]> {
  let query = tables(db)
    .selectFrom('dreamingPasses')
    .select(listedColumns)
    .where('agentId', '=', agentId)
  const last = before === undefined ? undefined : await findPass(db, agentId, before)
  if (last)
    query = query.where(({ or, and, eb }) =>
      or([
        eb('startedAt', '<', last.startedAt),
        and([eb('startedAt', '=', last.startedAt), eb('id', '<', last.id)]),
      ]),
    )
  if (idPrefix !== undefined) {
    const { first, last } = toIdRange(idPrefix)
    query = query.where('id', '>=', first).where('id', '<=', last)
  }
  const rows = await query.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => toPass({ ...row, ...noDetails }))
}

/** False when the agent has a running pass. */
export async function insertPass(db: Db, pass: Pass): Promise<boolean> {
  const rows = await tables(db)
    .insertInto('dreamingPasses')
    .values(toPassRow(pass))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.length === 1
}

/** Takes a running pass that no daemon has taken. */
export async function takePass(
  db: Db,
  id: string,
  { owner, leaseUntil }: Pick<Pass, 'owner' | 'leaseUntil'>,
): Promise<boolean> {
  const rows = await tables(db)
    .updateTable('dreamingPasses')
    .set({ owner, leaseUntil })
    .where('id', '=', id)
    .where('owner', '=', '')
    .where('status', '=', 'running')
    .returning('id')
    .execute()
  return rows.length === 1
}

/** Changes a pass that this owner still runs. False when it is over or of another owner. */
export async function updateRunning(
  db: Db,
  { id, owner }: Pick<Pass, 'id' | 'owner'>,
  set: Partial<PassRow>,
): Promise<boolean> {
  const rows = await tables(db)
    .updateTable('dreamingPasses')
    .set(set)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('status', '=', 'running')
    .returning('id')
    .execute()
  return rows.length === 1
}

/** Reads a pass and blocks other decisions about it until the end of the transaction. */
export async function lockPass(db: Db, agentId: string, id: string): Promise<Pass | undefined> {
  const row = await tables(db)
    .updateTable('dreamingPasses')
    .set({ agentId })
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .returningAll()
    .executeTakeFirst()
  return row && toPass(row)
}

export async function updatePass(db: Db, id: string, set: Partial<PassRow>): Promise<void> {
  await tables(db).updateTable('dreamingPasses').set(set).where('id', '=', id).execute()
}

interface Abandoned {
  readonly agentId?: string | undefined
  /** Only those whose lease has run out by then. */
  readonly leaseBefore?: string | undefined
  readonly completedAt: string
  readonly error: string
}

/** Ends running passes that no daemon continues. Returns their agents. */
export async function failAbandoned(
  db: Db,
  { agentId, leaseBefore, completedAt, error }: Abandoned,
): Promise<string[]> {
  const rows = await tables(db)
    .updateTable('dreamingPasses')
    .set({ status: 'failed', completedAt, error })
    .where('status', '=', 'running')
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
    .$if(leaseBefore !== undefined, (query) => query.where('leaseUntil', '<', leaseBefore ?? ''))
    .returning('agentId')
    .execute()
  return rows.map((row) => row.agentId)
}

/** False when the pass is not running. */
export async function failRunning(
  db: Db,
  { agentId, id }: Pick<Pass, 'agentId' | 'id'>,
  ended: Pick<PassRow, 'completedAt' | 'error'>,
): Promise<boolean> {
  const rows = await tables(db)
    .updateTable('dreamingPasses')
    .set({ ...ended, status: 'failed' })
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .where('status', '=', 'running')
    .returning('id')
    .execute()
  return rows.length === 1
}

/** Tokens and costs of all agents since a time. */
export async function sumCosts(db: Db, since: string) {
  const row = await tables(db)
    .selectFrom('dreamingPasses')
    .select(({ fn }) => [
      fn.sum<number | string | null>('inputTokens').as('input'),
      fn.sum<number | string | null>('outputTokens').as('output'),
      fn.sum<number | string | null>('cacheReadTokens').as('cacheRead'),
      fn.sum<number | string | null>('cacheCreationTokens').as('cacheCreation'),
      fn.sum<number | string | null>('costMicros').as('cost'),
      fn.min<number | string | null>('costKnown').as('costKnown'),
    ])
    .where('startedAt', '>=', since)
    .executeTakeFirst()
  const parts = [row?.input, row?.output, row?.cacheRead, row?.cacheCreation]
  return {
    tokens: parts.reduce<number>((sum, part) => sum + Number(part ?? 0), 0),
    costMicros: Number(row?.cost ?? 0),
    costKnown: Number(row?.costKnown ?? 1) === 1,
  }
}

/** Passes with operations that wait for a decision. */
export async function countPlans(db: Db, agentId: string, startedAfter: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('dreamingPasses')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('disposition', '=', 'planned')
    .where('startedAt', '>', startedAfter)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts passes since a time, for the limit of an hour. */
export async function countStarted(db: Db, agentId: string, since: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('dreamingPasses')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('startedAt', '>=', since)
    .where('triggerKind', '=', 'schedule')
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface RunbookChange {
  readonly agentId: string
  readonly passId: string
  readonly runbook: string
}

/** False when the pass does not run for the agent. */
export async function updateRunbook(
  db: Db,
  { agentId, passId, runbook }: RunbookChange,
): Promise<boolean> {
  const rows = await tables(db)
    .updateTable('dreamingPasses')
    .set({ runbook })
    .where('id', '=', passId)
    .where('agentId', '=', agentId)
    .where('status', '=', 'running')
    .returning('id')
    .execute()
  return rows.length === 1
}
