import { expressionBuilder, sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { FeedbackStats } from '../search-request.ts'
import { type FeedbackRow, type Tables, tables } from './rows.ts'

export async function listFeedback(
  db: Db,
  { agentId, key }: Pick<FeedbackRow, 'agentId' | 'key'>,
  memoryIds: readonly string[],
): Promise<FeedbackRow[]> {
  if (memoryIds.length === 0) return []
  return tables(db)
    .selectFrom('memoryFeedback')
    .selectAll()
    .where('memoryId', 'in', memoryIds)
    .where('agentId', '=', agentId)
    .where('key', '=', key)
    .execute()
}

/** Replaces the previous rating of this key. */
export async function upsertFeedback(db: Db, feedback: FeedbackRow): Promise<void> {
  const { rating, createdAt } = feedback
  await tables(db)
    .insertInto('memoryFeedback')
    .values(feedback)
    .onConflict((conflict) =>
      conflict.columns(['memoryId', 'agentId', 'key']).doUpdateSet({ rating, createdAt }),
    )
    .execute()
}

export async function deleteFeedback(
  db: Db,
  { memoryId, agentId, key }: Pick<FeedbackRow, 'memoryId' | 'agentId' | 'key'>,
): Promise<void> {
  await tables(db)
    .deleteFrom('memoryFeedback')
    .where('memoryId', '=', memoryId)
    .where('agentId', '=', agentId)
    .where('key', '=', key)
    .execute()
}

interface RatingTotals {
  readonly memoryId: string
  readonly ratings: number
  /** The sum of the ratings. */
  readonly rated: number
}

/** Sums the ratings of an agent by memory. Skips unrated memories. */
export async function listRatingTotals(
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<RatingTotals[]> {
  const rows = await selectRatingTotals(db, { agentId, ids })
  return rows.map(({ memoryId, ratings, rated }) => ({
    memoryId,
    ratings: Number(ratings),
    rated: Number(rated),
  }))
}

const selectRatingTotals = compileSelectOnce(
  (db, { agentId, ids }: { readonly agentId: string; readonly ids: readonly string[] }) =>
    tables(db)
      .selectFrom('memoryFeedback')
      .select(({ fn }) => [
        'memoryId',
        fn.countAll<number | string>().as('ratings'),
        fn.sum<number | string>('rating').as('rated'),
      ])
      .where('memoryId', 'in', ids)
      .where('agentId', '=', agentId)
      .groupBy('memoryId'),
)

/** Ids with a known validity that excludes this time. */
export async function listInvalid(
  db: Db,
  ids: readonly string[],
  at: string,
): Promise<ReadonlySet<string>> {
  const rows = await selectInvalid(db, { ids, at })
  return new Set(rows.map(({ subjectId }) => subjectId))
}

const selectInvalid = compileSelectOnce(
  (db, { ids, at }: { readonly ids: readonly string[]; readonly at: string }) => {
    return tables(db)
      .selectFrom('temporalEdges')
      .select('subjectId')
      .where('subjectType', '=', 'memory')
      .where('subjectId', 'in', ids)
      .where('facet', '=', 'valid')
      .groupBy('subjectId')
      .having(isValidAt(at), '=', 0)
  },
)

/** Columns with the feedback stats of selected memories. */
export function feedbackStatsColumns({
  agentId,
  at,
}: {
  readonly agentId: string
  readonly at: string
}) {
  const eb = expressionBuilder<Tables, 'memories'>()
  const ratings = eb
    .selectFrom('memoryFeedback')
    .whereRef('memoryFeedback.memoryId', '=', 'memories.id')
    .where('memoryFeedback.agentId', '=', agentId)
  const validity = eb
    .selectFrom('temporalEdges')
    .where('temporalEdges.subjectType', '=', 'memory')
    .whereRef('temporalEdges.subjectId', '=', 'memories.id')
    .where('temporalEdges.facet', '=', 'valid')
  return [
    ratings.select(({ fn }) => fn.countAll<number | string>().as('ratings')).as('ratings'),
    ratings.select(({ fn }) => fn.sum<number | string>('rating').as('rated')).as('rated'),
    validity.select(isValidAt(at).as('holds')).as('holds'),
  ]
}

interface FeedbackStatsRow {
  readonly ratings: number | string | null
  readonly rated: number | string | null
  readonly holds: number | null
}

export function toFeedbackStats({ ratings, rated, holds }: FeedbackStatsRow): FeedbackStats {
  return { ratings: Number(ratings), rated: Number(rated), valid: holds !== 0 }
}

/** 1 when one of the edges covers the time, else 0. */
function isValidAt(at: string) {
  return sql<number>`max(case when start_at <= ${at} and coalesce(end_at, '9999') > ${at}
    then 1 else 0 end)`
}

export async function readFeedbackStats(
  db: Db,
  ids: readonly string[],
  { agentId, at }: { readonly agentId: string; readonly at: string },
): Promise<ReadonlyMap<string, FeedbackStats>> {
  if (ids.length === 0) return new Map()
  const [totals, invalid] = await Promise.all([
    listRatingTotals(db, agentId, ids),
    listInvalid(db, ids, at),
  ])
  const byId = new Map(totals.map((total) => [total.memoryId, total]))
  return new Map(
    ids.map((id) => {
      const { ratings = 0, rated = 0 } = byId.get(id) ?? {}
      return [id, { ratings, rated, valid: !invalid.has(id) }]
    }),
  )
}
