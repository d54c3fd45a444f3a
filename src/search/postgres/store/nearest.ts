import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type MaskRequest, mayAnswer, visibleTo } from './filters.ts'
import { indexExpression } from './vector-index.ts'

/** A query vector in the text form of pgvector. */
export interface NearVector {
  readonly identity: string
  readonly text: string
  readonly dims: number
}

/** Includes whole texts and passages: a memory may occur several times. */
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
 * Almost always true. The planner underestimates equality of two columns and would avoid the vector
 * index; it does not estimate this form.
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

/** The nearest memories to a visible memory, which is excluded; undefined without a vector. */
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
