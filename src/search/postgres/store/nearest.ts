import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type MaskRequest, mayAnswer, visibleTo } from './filters.ts'
import { indexExpression } from './vector-index.ts'

/** A vector, as the engine writes it, among those of one identity. */
export interface NearVector {
  readonly identity: string
  readonly text: string
  readonly dims: number
}

/** Whole texts and passages together, so a memory may be there more than once. */
export function nearestSql(
  nearVector: NearVector,
  { visibility, count }: { readonly visibility: RawBuilder<unknown>; readonly count: number },
): RawBuilder<unknown> {
  return sql`select m.memory_id, ${distance(nearVector)} as distance
    from memory_search_vectors v join memory_search m on m.memory_id = v.memory_id
    where v.identity = ${sql.lit(nearVector.identity)} and ${hasSameContent} and ${visibility}
    order by ${distance(nearVector)} limit ${count}`
}

/**
 * Nearly always true. The server takes two equal columns of a pair for a rare thing, and would
 * rather look at all pairs than read an index until it has enough; in this form it makes no guess.
 */
const hasSameContent = sql`case when m.content_hash = v.content_hash then true else false end`

function distance({ text, dims }: NearVector): RawBuilder<number> {
  return sql`${indexExpression(dims, 'v.')} <=> ${text}::halfvec(${sql.lit(dims)})`
}

interface SimilarRequest extends MaskRequest {
  readonly id: string
  readonly identity: string
  readonly limit: number
}

/** The nearest to a memory in sight, itself left out; undefined where it has no vector. */
export async function readSimilar(
  db: Db,
  request: SimilarRequest,
): Promise<{ readonly memoryId: string; readonly cosine: number }[] | undefined> {
  const { id, identity, readScope, filters, limit } = request
  const { rows } = await sql<{ text: string; dims: number }>`select v.vector::text as text, v.dims
    from memory_search_vectors v join memory_search m
      on m.memory_id = v.memory_id and m.content_hash = v.content_hash
    where v.identity = ${identity} and v.memory_id = ${id} and v.passage = 0
      and ${visibleTo(readScope, filters.scope)}`.execute(db)
  const [queryVector] = rows
  if (!queryVector) return undefined
  const visibility = sql`${mayAnswer(request)} and v.passage = 0 and m.memory_id <> ${id}`
  const hits = await sql<{ memoryId: string; cosine: number }>`
    select memory_id, 1 - distance as cosine
    from (${nearestSql({ ...queryVector, identity }, { visibility, count: limit })}) as near
    where distance < 1 order by distance`.execute(db)
  return hits.rows
}
