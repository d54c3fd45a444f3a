import { expressionBuilder, sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { FeedbackStats } from '../search-request.ts'
import { type Tables, tables } from './rows.ts'

export interface RatingTotals {
  readonly memoryId: string
  readonly ratings: number
  /** The sum of the ratings. */
  readonly rated: number
}

/** What an agent thinks of these memories; those that it said nothing of are left out. */
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

/** Those of these memories that are said to be valid at some time, and not at this one. */
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

/** How memories that are selected stand with an agent at a time, in the same statement. */
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

/** Of edges: 1 when one of them holds then, 0 when none does. */
function isValidAt(at: string) {
  return sql<number>`max(case when start_at <= ${at} and coalesce(end_at, '9999') > ${at}
    then 1 else 0 end)`
}
