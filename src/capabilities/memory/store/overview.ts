import { sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import { inNamespace, type Namespace } from './filter.ts'
import { listable } from './lists.ts'
import { memoryColumns, tables, toMemory } from './rows.ts'

interface ReviewPage extends Namespace {
  readonly limit: number
}

/** Due memories without positive feedback since, longest due first. */
export async function listDue(
  db: Db,
  readScope: ReadScope,
  { now, ...of }: ReviewPage & { readonly now: string },
): Promise<Memory[]> {
  const rows = await reviewable(db, readScope, of)
    .where('memories.reviewAfter', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memoryFeedback')
            .select('memoryFeedback.memoryId')
            .whereRef('memoryFeedback.memoryId', '=', 'memories.id')
            .whereRef('memoryFeedback.createdAt', '>=', 'memories.reviewAfter')
            .where('memoryFeedback.rating', '>', 0),
        ),
      ),
    )
    .orderBy('memories.reviewAfter')
    .execute()
  return rows.map(toMemory)
}

/** Memories with a negative sum of ratings, lowest first. */
export async function listDisputed(
  db: Db,
  readScope: ReadScope,
  of: ReviewPage,
): Promise<Memory[]> {
  const disputedIds = tables(db)
    .selectFrom('memoryFeedback')
    .select('memoryId')
    .distinct()
    .where('rating', '<', 0)
  const sum = sql<number>`(select sum(rating) from memory_feedback where memory_id = memories.id)`
  const rows = await reviewable(db, readScope, of)
    .where('memories.id', 'in', disputedIds)
    .where(sum, '<', 0)
    .orderBy(sum)
    .orderBy('memories.id')
    .execute()
  return rows.map(toMemory)
}

/** Memories of low confidence, lowest first. */
export async function listLowConfidence(
  db: Db,
  readScope: ReadScope,
  { below, ...of }: ReviewPage & { readonly below: number },
): Promise<Memory[]> {
  const rows = await reviewable(db, readScope, of)
    .where('memories.confidence', '<', below)
    .orderBy('memories.confidence')
    .execute()
  return rows.map(toMemory)
}

function reviewable(db: Db, readScope: ReadScope, { limit, ...namespace }: ReviewPage) {
  return listable(db, readScope, namespace).select(memoryColumns).limit(limit)
}

/** The end is exclusive. */
export interface TimeSpan {
  readonly start: string
  readonly end: string
}

export interface NamedCount {
  readonly name: string
  readonly count: number
}

/** Counts of one type. `importance` is a sum. */
export interface TypeCount extends NamedCount {
  readonly pinned: number
  readonly importance: number
}

/** Counts current memories created in a time span, by type. */
export async function countCreated(
  db: Db,
  readScope: ReadScope,
  { start, end, ...namespace }: TimeSpan & Namespace,
): Promise<TypeCount[]> {
  const rows = await listable(db, readScope, namespace)
    .select(({ fn }) => [
      'type as name',
      fn.countAll<number | string>().as('count'),
      fn.sum<number | string>('pinned').as('pinned'),
      fn.sum<number | string>('importance').as('importance'),
    ])
    .where('createdAt', '>=', start)
    .where('createdAt', '<', end)
    .groupBy('type')
    .orderBy('count', 'desc')
    .orderBy('type')
    .execute()
  return rows.map(({ name, count, pinned, importance }) => ({
    name,
    count: Number(count),
    pinned: Number(pinned),
    importance: Number(importance),
  }))
}

/** Counts history events of readable memories in a time span, including deleted ones. */
export async function countHistoryEvents(
  db: Db,
  readScope: ReadScope,
  { start, end, ...namespace }: TimeSpan & Namespace,
): Promise<NamedCount[]> {
  const rows = await tables(db)
    .selectFrom('memoryHistory')
    .crossJoin('memories')
    .select(({ fn }) => ['memoryHistory.event as name', fn.countAll<number | string>().as('count')])
    .whereRef('memories.id', '=', 'memoryHistory.memoryId')
    .where('memoryHistory.createdAt', '>=', start)
    .where('memoryHistory.createdAt', '<', end)
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace(namespace))
    .groupBy('memoryHistory.event')
    .orderBy('count', 'desc')
    .orderBy('memoryHistory.event')
    .execute()
  return rows.map(({ name, count }) => ({ name, count: Number(count) }))
}
