import { sql } from 'kysely'
import { compileSelectOnce, withoutIndex } from '../../../kernel/db/compile-once.ts'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { DeferredRows, DeferredSelect } from '../../../kernel/db/deferred-select.ts'
import { toRows } from '../../../kernel/db/row-names.ts'
import type { MemoryHit, SearchRequest } from '../search-request.ts'
import { feedbackStatsColumns, toFeedbackStats } from './feedback.ts'
import { containsInTextOrTags } from './filter.ts'
import { hasFilter, matchesRequest, selectHits } from './matching.ts'
import { tables } from './rows.ts'
import { toHit } from './search.ts'

const maxSpeakers = 1000

/** Ranks by importance × 0.95^days (floor 0.1). Pinned memories rank as 1. */
export async function rankByDecayedImportance(
  db: Db,
  request: SearchRequest,
  now: Date,
): Promise<MemoryHit[]> {
  const at = now.toISOString()
  const decayFactor =
    engineOf(db) === 'postgres'
      ? sql`greatest(0.1, power(0.95::double precision, least(greatest(
          extract(epoch from (${at}::timestamptz - memories.created_at::timestamptz)) / 86400,
          0), 10000)::double precision))`
      : sql`max(0.1, pow(0.95, min(max(
          julianday(${at}) - julianday(memories.created_at), 0), 10000)))`
  const worth = sql<number>`case when memories.pinned = 1 then 1 else memories.importance * ${decayFactor} end`
  const rows = await selectHits(db, request)
    .select(worth.as('magnitude'))
    .orderBy('magnitude', 'desc')
    .orderBy('memories.createdAt', 'desc')
    .execute()
  return rows.map(toHit)
}

/** Substring search in content and tags, for text that is not a valid expression. */
export async function listContaining(
  db: Db,
  text: string,
  request: SearchRequest,
): Promise<MemoryHit[]> {
  const rows = await selectHits(db, request)
    .select(sql<number>`0`.as('magnitude'))
    .where(containsInTextOrTags(text))
    .orderBy('memories.createdAt', 'desc')
    .execute()
  return rows.map(toHit)
}

/** Reads hits by id with access counts and feedback, in no order. Drops ids that do not match. */
export async function listFound(
  db: Db,
  { ids, at }: IdsAt,
  request: SearchRequest,
): Promise<MemoryHit[]> {
  if (ids.length === 0) return []
  const { agentId } = request.readScope
  const select = findPlainSelect(request)
  const rows = select
    ? await select(db, { ids, at, agentId })
    : await selectHitsByIds(db, { ids, at }, request).execute()
  return rows.map(toHitWithStats)
}

/** The same select, for the search thread to run on its own hits. Undefined unless the request is plain. */
export function deferHits(db: Db, at: string, request: SearchRequest): DeferredSelect | undefined {
  const { agentId } = request.readScope
  return findPlainSelect(request)?.later(db, { ids: [], at, agentId }, 'ids', request.limit)
}

/** Converts the rows of a deferred select. */
export function toDeferredHits(read: DeferredRows): MemoryHit[] {
  return toRows<PlainRow>(read).map(toHitWithStats)
}

function toHitWithStats(row: PlainRow): MemoryHit {
  return { ...toHit(row), feedbackStats: toFeedbackStats(row) }
}

export interface IdsAt {
  readonly ids: readonly string[]
  /** The time at which validity is evaluated. */
  readonly at: string
}

function selectHitsByIds(db: Db, { ids, at }: IdsAt, request: SearchRequest) {
  const { agentId } = request.readScope
  return selectHits(db, request, withoutIndex(matchesRequest(db, request)))
    .select(sql<number>`0`.as('magnitude'))
    .select(feedbackStatsColumns({ agentId, at }))
    .where('memories.id', 'in', ids)
    .clearLimit()
}

/** Whether only the reader varies. Most requests are plain, so their select is compiled once. */
function isPlain({ readScope, filters, asOf, exceptSourceType }: SearchRequest): boolean {
  const isOfAll = asOf === undefined && exceptSourceType === undefined && !hasFilter(filters)
  return isOfAll && readScope.project === null && filters.scope === null
}

interface PlainRequest extends IdsAt {
  readonly agentId: string
}

type PlainRow = Parameters<typeof toHit>[0] & Parameters<typeof toFeedbackStats>[0]

const selectPlain = (policy: 'isolated' | 'shared') =>
  compileSelectOnce((db, { ids, at, agentId }: PlainRequest) => {
    const readScope = { agentId, policy, groupAgents: [], project: null }
    return selectHitsByIds(
      db,
      { ids, at },
      { readScope, filters: { scope: null }, limit: ids.length },
    )
  })
const plainSelects = { isolated: selectPlain('isolated'), shared: selectPlain('shared') }

function findPlainSelect(request: SearchRequest) {
  const { policy } = request.readScope
  return policy !== 'group' && isPlain(request) ? plainSelects[policy] : undefined
}

/** Unordered. */
export async function listIds(db: Db, request: SearchRequest): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select('memories.id')
    .where(matchesRequest(db, request))
    .limit(request.limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the distinct speakers (`who`) of matching memories. */
export async function listSpeakers(db: Db, request: SearchRequest): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select('who')
    .distinct()
    .where(matchesRequest(db, request))
    .orderBy('who')
    .limit(maxSpeakers)
    .execute()
  return rows.map(({ who }) => who)
}
