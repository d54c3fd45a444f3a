import { sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import { inNamespace, type Namespace } from './filter.ts'
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
  return tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('memories.deletedAt', 'is', null)
    .where('memories.supersededBy', 'is', null)
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace(namespace))
    .limit(limit)
}
