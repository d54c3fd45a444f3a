import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { assertPermission } from '../../kernel/auth/permission.ts'
import { toRefusal } from '../../kernel/http/errors.ts'
import type { ListRequest, listReply } from './collection-schemas.ts'
import type { Memory } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import { retentionWindowMs } from './refusals.ts'
import { listMostUsed, type MemoryUsage } from './store/access.ts'
import type { Namespace } from './store/filter.ts'
import {
  countByIdPrefix,
  countListed,
  isUnfiltered,
  type ListStats,
  listByIdPrefix,
  listListable,
  readListStats,
} from './store/lists.ts'
import {
  countCreated,
  countHistoryEvents,
  listDisputed,
  listDue,
  listLowConfidence,
  type NamedCount,
  type TimeSpan,
  type TypeCount,
} from './store/overview.ts'
import type { ListedMemory } from './store/rows.ts'

export interface ListResult {
  readonly memories: readonly ListedMemory[]
  /** On all pages. */
  readonly total: number
  readonly stats: ListStats
}

/** Lists memories of a state that the caller may read: newest first, or by id with a prefix. */
export async function listMemories(
  needs: MemoryNeeds,
  caller: Caller,
  page: ListRequest,
): Promise<ListResult> {
  if (page.state === 'forgotten' || page.state === 'all') assertPermission('recover', caller)
  const readScope = await needs.agents.readScopeOf(needs.db, caller)
  const { idPrefix, includeDeleted, ...listPage } = page
  const { scope, allScopes } = listPage
  const identity = needs.embeddings.activeIdentity()
  const forgottenSince = new Date(needs.host.now().getTime() - retentionWindowMs).toISOString()
  const selection = { ...listPage, forgottenSince }
  const prefixed = idPrefix !== undefined && { ...listPage, idPrefix, includeDeleted }
  const isCounted = !prefixed && isUnfiltered(listPage)
  const [memories, stats, count] = await Promise.all([
    prefixed
      ? listByIdPrefix(needs.db, readScope, prefixed)
      : listListable(needs.db, readScope, selection),
    readListStats(needs.db, readScope, { scope, allScopes, identity }),
    isCounted
      ? undefined
      : prefixed
        ? countByIdPrefix(needs.db, readScope, prefixed)
        : countListed(needs.db, readScope, selection),
  ])
  return { memories, stats, total: count ?? stats.total }
}

/** On a fault, returns an empty page with `error`, for callers that only read the page. */
export async function answerList(needs: MemoryNeeds, caller: Caller, page: ListRequest) {
  try {
    return toListReply(await listMemories(needs, caller, page))
  } catch (error) {
    if (toRefusal(error)) throw error
    needs.log.error({ err: error }, 'fault')
    return toFailedList()
  }
}

/** Lists the most recalled current memories that the caller may read. */
export async function readMostUsed(
  { db, agents }: MemoryNeeds,
  caller: Caller,
  page: Namespace & { readonly limit: number },
): Promise<MemoryUsage[]> {
  return listMostUsed(db, await agents.readScopeOf(db, caller), page)
}

/** Why a memory needs review. */
type ReviewReason = 'review_due' | 'disputed' | 'low_confidence'

export interface ReviewItem {
  readonly memory: Memory
  readonly reasons: readonly ReviewReason[]
}

/** Memories below this confidence need review. */
const minConfidence = 0.5

const maxItems = 200

/** Lists memories that are due, disputed or of low confidence, each once. */
export async function readReviewQueue(
  { db, agents, host }: MemoryNeeds,
  caller: Caller,
  namespace: Namespace,
): Promise<ReviewItem[]> {
  const readScope = await agents.readScopeOf(db, caller)
  const of = { ...namespace, limit: maxItems }
  const [due, disputed, lowConfidence] = await Promise.all([
    listDue(db, readScope, { ...of, now: host.now().toISOString() }),
    listDisputed(db, readScope, of),
    listLowConfidence(db, readScope, { ...of, below: minConfidence }),
  ])
  const entries = [
    ...due.map((memory) => ({ memory, reason: 'review_due' as const })),
    ...disputed.map((memory) => ({ memory, reason: 'disputed' as const })),
    ...lowConfidence.map((memory) => ({ memory, reason: 'low_confidence' as const })),
  ]
  const byId = Map.groupBy(entries, ({ memory }) => memory.id)
  return [...byId.values()].slice(0, maxItems).flatMap((reasons) => {
    const [first] = reasons
    return first ? [{ memory: first.memory, reasons: reasons.map(({ reason }) => reason) }] : []
  })
}

interface TimelineRequest extends Namespace {
  /** Minutes from local time to UTC: -120 in Oslo in summer, as in browsers. */
  readonly tzOffset: number
}

export interface Bucket {
  readonly rangeKey: 'today' | 'last_week' | 'last_month'
  /** Local midnight. */
  readonly start: string
  readonly end: string
  readonly typeCounts: readonly TypeCount[]
  readonly eventCounts: readonly NamedCount[]
}

export interface Timeline {
  readonly generatedAt: string
  readonly buckets: readonly Bucket[]
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const ranges = [
  { rangeKey: 'today', days: 1 },
  { rangeKey: 'last_week', days: 7 },
  { rangeKey: 'last_month', days: 30 },
] as const

/** Counts memories and history events of each range. Ranges include the shorter ones. */
export async function readTimeline(
  { db, agents, host }: MemoryNeeds,
  caller: Caller,
  { tzOffset, ...namespace }: TimelineRequest,
): Promise<Timeline> {
  const readScope = await agents.readScopeOf(db, caller)
  const now = host.now()
  const buckets = ranges.map(async ({ rangeKey, days }): Promise<Bucket> => {
    const span = lastDays(now, days, tzOffset * minuteMs)
    const selection = { ...span, ...namespace }
    const [typeCounts, eventCounts] = await Promise.all([
      countCreated(db, readScope, selection),
      countHistoryEvents(db, readScope, selection),
    ])
    return { rangeKey, ...span, typeCounts: typeCounts, eventCounts: eventCounts }
  })
  return { generatedAt: now.toISOString(), buckets: await Promise.all(buckets) }
}

/** From a local midnight to the next local midnight. */
function lastDays(now: Date, days: number, offsetMs: number): TimeSpan {
  const today = Math.floor((now.getTime() - offsetMs) / dayMs) * dayMs + offsetMs
  const at = (day: number) => new Date(today + day * dayMs).toISOString()
  return { start: at(1 - days), end: at(1) }
}

function toListReply({ memories, total, stats }: ListResult): z.input<typeof listReply> {
  return { memories: memories.map(toListItem), total, stats }
}

function toFailedList(): z.input<typeof listReply> {
  const stats = { total: 0, withEmbeddings: 0, critical: 0 }
  return { memories: [], total: 0, stats, error: 'Failed to load memories' }
}

function toListItem({ createdAt, sourceType, ...item }: ListedMemory) {
  return { ...item, created_at: createdAt, source_type: sourceType }
}
