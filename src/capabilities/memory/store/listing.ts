import { sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import {
  type DeferredRows,
  type DeferredSelect,
  toRows,
} from '../../../kernel/db/deferred-select.ts'
import { withoutIndex } from '../../../kernel/db/without-index.ts'
import type { MemoryHit, SearchRequest } from '../search-request.ts'
import { contains } from './contains.ts'
import { feedbackStatsColumns, toFeedbackStats } from './feedback-stats.ts'
import { hasFilter, matching, selectFound } from './matching.ts'
import { tables } from './rows.ts'
import { toFound } from './search.ts'

const mostSpeakers = 1000

/** What the filters leave; pinned ones count 1, others less by a twentieth a day, down to a tenth. */
export async function listByWorth(db: Db, request: SearchRequest, now: Date): Promise<MemoryHit[]> {
  const at = now.toISOString()
  const days =
    engineOf(db) === 'postgres'
      ? sql`extract(epoch from (${at}::timestamptz - memories.created_at::timestamptz)) / 86400`
      : sql`julianday(${at}) - julianday(memories.created_at)`
  const age =
    engineOf(db) === 'postgres'
      ? sql`least(greatest(${days}, 0), 10000)`
      : sql`min(max(${days}, 0), 10000)`
  const fading = sql`power(0.95::double precision, ${age}::double precision)`
  const faded =
    engineOf(db) === 'postgres' ? sql`greatest(0.1, ${fading})` : sql`max(0.1, pow(0.95, ${age}))`
  const worth = sql<number>`case when memories.pinned = 1 then 1 else memories.importance * ${faded} end`
  const rows = await selectFound(db, request)
    .select(worth.as('magnitude'))
    .orderBy('magnitude', 'desc')
    .orderBy('memories.createdAt', 'desc')
    .execute()
  return rows.map(toFound)
}

/** For a text that is no expression of the index: wherever it stands, in words or tags. */
export async function listContaining(
  db: Db,
  text: string,
  request: SearchRequest,
): Promise<MemoryHit[]> {
  const rows = await selectFound(db, request)
    .select(sql<number>`0`.as('magnitude'))
    .where((eb) =>
      eb.or([
        contains(sql.ref('memories.content'), text),
        contains(sql.ref('memories.tags'), text),
      ]),
    )
    .orderBy('memories.createdAt', 'desc')
    .execute()
  return rows.map(toFound)
}

/** These, as far as they match, with how often they were recalled and how they stand; in no order. */
export async function listFound(
  db: Db,
  { ids, at }: These,
  request: SearchRequest,
): Promise<MemoryHit[]> {
  if (ids.length === 0) return []
  const { agentId } = request.readScope
  const selecting = selectingPlainly(request)
  const rows = selecting
    ? await selecting(db, { ids, at, agentId })
    : await selectThese(db, { ids, at }, request).execute()
  return rows.map(toFoundStanding)
}

/** The same of memories that the search engine finds, where it reads the file itself and the request is a plain one. */
export function listFoundLater(
  db: Db,
  at: string,
  request: SearchRequest,
): DeferredSelect | undefined {
  if (engineOf(db) === 'postgres') return undefined
  const { agentId } = request.readScope
  return selectingPlainly(request)?.later(db, { ids: [], at, agentId }, 'ids', request.limit)
}

/** What was read so. */
export function toFoundLate(read: DeferredRows): MemoryHit[] {
  return toRows<PlainRow>(read).map(toFoundStanding)
}

function toFoundStanding(row: PlainRow): MemoryHit {
  return { ...toFound(row), feedbackStats: toFeedbackStats(row) }
}

export interface These {
  readonly ids: readonly string[]
  /** When they stand as they are told to. */
  readonly at: string
}

function selectThese(db: Db, { ids, at }: These, request: SearchRequest) {
  const { agentId } = request.readScope
  return selectFound(db, request, withoutIndex(matching(db, request)))
    .select(sql<number>`0`.as('magnitude'))
    .select(feedbackStatsColumns({ agentId, at }))
    .where('memories.id', 'in', ids)
    .clearLimit()
}

/** Most requests are, and differ in nothing but who asks. */
function isPlain({ readScope, filters, asOf, exceptSourceType }: SearchRequest): boolean {
  const isOfAll = asOf === undefined && exceptSourceType === undefined && !hasFilter(filters)
  return isOfAll && readScope.project === null && filters.scope === null
}

interface Plain extends These {
  readonly agentId: string
}

type PlainRow = Parameters<typeof toFound>[0] & Parameters<typeof toFeedbackStats>[0]

const selectPlain = (policy: 'isolated' | 'shared') =>
  compileSelectOnce((db, { ids, at, agentId }: Plain) => {
    const readScope = { agentId, policy, groupAgents: [], project: null }
    return selectThese(db, { ids, at }, { readScope, filters: { scope: null }, limit: ids.length })
  })
const selectingPlain = { isolated: selectPlain('isolated'), shared: selectPlain('shared') }

function selectingPlainly(request: SearchRequest) {
  const { policy } = request.readScope
  return policy !== 'group' && isPlain(request) ? selectingPlain[policy] : undefined
}

/** In no order. */
export async function listIds(db: Db, request: SearchRequest): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select('memories.id')
    .where(matching(db, request))
    .limit(request.limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Everybody who has said something that matches. */
export async function listSpeakers(db: Db, request: SearchRequest): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select('who')
    .distinct()
    .where(matching(db, request))
    .orderBy('who')
    .limit(mostSpeakers)
    .execute()
  return rows.map(({ who }) => who)
}
