import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Feeds } from './feeds.ts'
import { type MaskRequest, mayAnswer } from './filters.ts'
import type { Field, State } from './rows.ts'
import { vectorIndexName } from './vector-index.ts'

export interface StatsRequest {
  readonly request: MaskRequest
  readonly terms: readonly string[]
  readonly queryTokens: readonly number[]
  /** Words that may be speaker names. */
  readonly nameWords: readonly string[]
  readonly identity: string | undefined
}

/** Corpus statistics for the terms of a query. */
export interface CorpusStats {
  readonly state: State
  /** The newest revisions of both feeds. */
  readonly newest: { readonly memory: number; readonly vector: number }
  /** Speakers with a visible message, by a word of their name. */
  readonly names: readonly (readonly [word: string, who: string])[]
  /** The number of texts that contain a term. */
  documentFrequency(field: Field, term: string): number
  texts(field: Field): { readonly count: number; readonly averageLength: number }
  /** Whether vectors of the requested model with these dimensions exist. */
  hasVectors(dims: number): boolean
  /** Whether those vectors are indexed. */
  readonly isIndexed: boolean
}

type Row = State & {
  readonly newestMemory: number
  readonly newestVector: number | null
  readonly fields: readonly (readonly [Field, texts: number, length: number])[]
  readonly terms: readonly (readonly [Field, string, number])[] | null
  readonly names: CorpusStats['names'] | null
  readonly dims: number | null
  readonly isIndexed: boolean
}

interface StatsSource {
  readonly feeds: Feeds
  readonly hasVectors: boolean
}

export async function readCorpusStats(
  db: Db,
  { feeds, hasVectors }: StatsSource,
  statsRequest: StatsRequest,
): Promise<CorpusStats> {
  const { terms, queryTokens, nameWords, request, identity = '' } = statsRequest
  const keys = [
    ...terms.flatMap((term) => [['words', term] as const, ['hints', term] as const]),
    ...queryTokens.map((piece) => ['pieces', String(piece)] as const),
  ]
  const newestVector = hasVectors ? sql`(${sql.raw(feeds.vectorFeed.newestSql)})` : sql`null`
  // Ordered by the index: older models may have many rows that precede it in the table.
  const dims = hasVectors
    ? sql`(select dims from memory_search_vectors where identity = ${identity}
        order by memory_id limit 1)`
    : sql`null`
  const { rows } = await sql<Row>`select state.*,
    (${sql.raw(feeds.memoryFeed.newestSql)}) as newest_memory, ${newestVector} as newest_vector,
    (select json_agg(json_build_array(field, texts, length)) from memory_search_fields) as fields,
    (select json_agg(json_build_array(t.field, t.term, t.holding))
      from memory_search_terms t join unnest(${keys.map(([field]) => field)}::text[],
        ${keys.map(([, term]) => term)}::text[]) as requested (field, term)
        on t.field = requested.field and t.term = requested.term) as terms,
    (select json_agg(json_build_array(n.word, n.who)) from memory_search_names n
      where n.word = any(${nameWords}::text[]) and exists (
        select 1 from memory_search m where m.who = n.who and ${mayAnswer(request)})) as names,
    ${dims} as dims, to_regclass(${vectorIndexName(identity)}) is not null as is_indexed
    from memory_search_state state`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The table memory_search_state has no row.')
  return toCorpusStats(row)
}

function toCorpusStats(row: Row): CorpusStats {
  const documentFrequency = new Map(
    row.terms?.map(([field, term, count]) => [`${field} ${term}`, count]),
  )
  const texts = new Map(
    row.fields.map(([field, count, length]) => [
      field,
      { count, averageLength: count === 0 ? 1 : length / count },
    ]),
  )
  return {
    state: row,
    newest: { memory: row.newestMemory, vector: row.newestVector ?? 0 },
    names: row.names ?? [],
    documentFrequency: (field, term) => documentFrequency.get(`${field} ${term}`) ?? 0,
    texts: (field) => texts.get(field) ?? { count: 0, averageLength: 1 },
    hasVectors: (dims) => row.dims === dims,
    isIndexed: row.isIndexed,
  }
}
