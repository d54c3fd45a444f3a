import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { inSight, type MaskRequest, mayAnswer } from './filters.ts'
import { indexed } from './vector-index.ts'

/** A vector, as the engine writes it, among those of one identity. */
export interface Near {
  readonly identity: string
  readonly text: string
  readonly dims: number
}

/** Whole texts and passages together, so a memory may be there more than once. */
export function nearest(
  near: Near,
  { may, count }: { readonly may: RawBuilder<unknown>; readonly count: number },
): RawBuilder<unknown> {
  return sql`select m.memory_id, ${distance(near)} as distance
    from memory_search_vectors v join memory_search m on m.memory_id = v.memory_id
    where v.identity = ${sql.lit(near.identity)} and ${isOfItsWords} and ${may}
    order by ${distance(near)} limit ${count}`
}

/**
 * Nearly always true. The server takes two equal columns of a pair for a rare thing, and would
 * rather look at all pairs than read an index until it has enough; in this form it makes no guess.
 */
const isOfItsWords = sql`case when m.content_hash = v.content_hash then true else false end`

function distance({ text, dims }: Near): RawBuilder<number> {
  return sql`${indexed(dims, 'v.')} <=> ${text}::halfvec(${sql.lit(dims)})`
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
      and ${inSight(readScope, filters.scope)}`.execute(db)
  const [own] = rows
  if (!own) return undefined
  const may = sql`${mayAnswer(request)} and v.passage = 0 and m.memory_id <> ${id}`
  const found = await sql<{ memoryId: string; cosine: number }>`
    select memory_id, 1 - distance as cosine
    from (${nearest({ ...own, identity }, { may, count: limit })}) as near
    where distance < 1 order by distance`.execute(db)
  return found.rows
}
