import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { maxNoteTerms } from '../../ranking/text-traits.ts'
import { relatedLimits } from '../../ranking/weights.ts'
import { countsByWeight } from '../tsvector.ts'
import { type MaskRequest, mayAnswer } from './filters.ts'
import { type NearVector, nearestSql } from './nearest.ts'

/** The length normalization of BM25. */
interface LengthNorm {
  readonly base: number
  readonly step: number
}

export interface CandidateRequest {
  readonly mask: MaskRequest
  readonly terms: readonly string[]
  /** Only rows with one of these terms are scanned. */
  readonly selectedTerms: { readonly words: readonly string[]; readonly hints: readonly string[] }
  /** IDF of each term in words and in hints. */
  readonly idfs: { readonly words: readonly number[]; readonly hints: readonly number[] }
  readonly lengthNorms: { readonly words: LengthNorm; readonly hints: LengthNorm }
  readonly nearVector: NearVector | undefined
  /** The k of top-k, for each signal. */
  readonly count: number
  /** Instead of the top k: rows that share rare terms with this memory. */
  readonly relatedTo?: string | undefined
}

/** A candidate row or its session neighbour. */
export interface CandidateRow {
  readonly memoryId: string
  /** False for a session neighbour of a hit. */
  readonly isHit: boolean
  readonly who: string
  readonly agentId: string
  readonly project: string | null
  readonly sessionId: string | null
  readonly createdAt: number
  readonly traits: number
  readonly length: number
  readonly wordsLength: number
  readonly hintsLength: number
  /** One digit per term: its frequency in the row. Hint counts only for the reader's rows. */
  readonly wordCounts: string | null
  readonly hintCounts: string | null
  /** Distinct terms of a note; null for messages of a session and for long notes. */
  readonly terms: readonly string[] | null
  readonly pieces: Uint8Array
  readonly piecesLength: number
  readonly beforeId: string | null
  readonly afterId: string | null
  /** Cosines of the whole text and of its best passage. */
  readonly whole: number | null
  readonly passage: number | null
}

/**
 * The top k of each signal and their session neighbours, in one statement. Visibility is a
 * condition of each part.
 */
export async function readCandidates(db: Db, request: CandidateRequest): Promise<CandidateRow[]> {
  const { mask, nearVector, count, relatedTo } = request
  const visibility = mayAnswer(mask)
  const isOwn = sql`m.agent_id = ${mask.readScope.agentId}`
  const { rows } =
    await sql<CandidateRow>`with requested as materialized (${queryTermsSql(request)}),
    lexical as (${lexical(request, 'words', visibility)}),
    hinted as (${lexical(request, 'hints', sql`${visibility} and ${isOwn} and m.hints_length > 0`)}),
    near as (${nearVector ? nearestSql(nearVector, { visibility, count: 2 * count }) : noRows}),
    best as (${relatedTo === undefined ? topOfSignals : relatedSql(relatedTo, visibility)}),
    placed as (${neighboursSql}),
    pool as (select memory_id from best union select before_id from placed
      union select after_id from placed)
    select m.memory_id, m.memory_id in (select memory_id from best) as is_hit, m.who, m.agent_id, m.project, m.session_id, m.created_at, m.traits, m.length, m.words_length,
      m.hints_length, ${noteTermsSql} as terms, m.pieces, m.pieces_length, placed.before_id, placed.after_id,
      ${counts('words')} as word_counts,
      case when ${isOwn} and m.hints_length > 0 then ${counts('hints')} end as hint_counts,
      ${nearVector ? cosines(nearVector) : sql`null::float8 as whole, null::float8 as passage`}
    from pool join memory_search m on m.memory_id = pool.memory_id
      left join placed on placed.memory_id = m.memory_id
    where ${visibility}`.execute(db)
  return rows
}

const topOfSignals = sql`select memory_id from lexical union select memory_id from hinted
      union select memory_id from near`

/** The newest rows with a rare term of a short text. */
function relatedSql(memoryId: string, visibility: RawBuilder<unknown>): RawBuilder<unknown> {
  const { maxTerms, maxFrequency, maxRelated } = relatedLimits
  return sql`select m.memory_id from memory_search m
    where ${visibility} and m.words @@ (
      select string_agg(quote_literal(t.term), ' | ')::tsquery from memory_search_terms t
      where t.field = 'words' and t.holding between 2 and ${maxFrequency}
        and t.term = any(array(select unnest(tsvector_to_array(b.words)) from memory_search b
          where b.memory_id = ${memoryId} and length(b.words) <= ${maxTerms})))
    order by m.created_at desc, m.memory_id limit ${maxRelated}`
}

const noteTermsSql = sql`case when m.session_id is null and length(m.words) <= ${sql.lit(maxNoteTerms)}
  then tsvector_to_array(m.words) end`

const everyWeight = countsByWeight.map(({ weight }) => weight).join('')

const noRows = sql`select null::text as memory_id where false`

function queryTermsSql({ terms }: CandidateRequest): RawBuilder<unknown> {
  const weights = [everyWeight, ...countsByWeight.map(({ weight }) => weight)].map(
    (weight) => sql`(quote_literal(term) || ${sql.lit(`:${weight}`)})::tsquery as
      ${sql.raw(`is_${weight}`)}`,
  )
  return sql`select place, quote_literal(term)::tsquery as held, ${sql.join(weights)}
    from unnest(${terms}::text[]) with ordinality as given (term, place)`
}

/** Top k by BM25 among rows with a required term; newer rows win ties. */
function lexical(
  { terms, idfs, lengthNorms, selectedTerms: requiredTerms, count }: CandidateRequest,
  field: 'words' | 'hints',
  visibility: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (requiredTerms[field].length === 0) return noRows
  const { base, step } = lengthNorms[field]
  const lengthNorm = sql`(${base}::float8 + ${step}::float8 * ${sql.raw(`m.${field}_length`)})`
  const scores = terms.map((term, at) => score(field, term, { lengthNorm, idf: idfs[field][at] }))
  return sql`select m.memory_id from memory_search m
    where ${sql.raw(`m.${field}`)} @@ ${toQuery(requiredTerms[field])}::tsquery and ${visibility}
    order by ${sql.join(scores, sql` + `)} desc, m.created_at desc, m.memory_id
    limit ${count}`
}

interface TermScore {
  readonly lengthNorm: RawBuilder<unknown>
  readonly idf: number | undefined
}

/** The BM25 score of one term. Inlined, because a subquery per row takes twice as long. */
function score(field: 'words' | 'hints', term: string, { lengthNorm, idf = 0 }: TermScore) {
  const matchesSql = (weight = '') =>
    sql`${sql.raw(`m.${field}`)} @@ ${sql.lit(`'${term}'${weight && `:${weight}`}`)}::tsquery`
  const scoreFor = (times: number) =>
    sql`${idf * times}::float8 / (${sql.lit(times)} + ${lengthNorm})`
  return sql`case when not ${matchesSql()} then 0 when not ${matchesSql(everyWeight)} then ${scoreFor(1)} ${sql.join(
    countsByWeight.map(
      ({ weight, counts }) => sql`when ${matchesSql(weight)} then ${scoreFor(counts)}`,
    ),
    sql` `,
  )} end`
}

/** Terms contain no quotes. */
function toQuery(terms: readonly string[]): string {
  return terms.map((term) => `'${term}'`).join(' | ')
}

/** The frequency grade of a term. */
function frequencySql(field: 'words' | 'hints'): RawBuilder<number> {
  const grades = countsByWeight.map(
    ({ weight, counts }) =>
      sql`when ${sql.raw(`m.${field} @@ a.is_${weight}`)} then ${sql.lit(counts)}`,
  )
  const isMore = sql.raw(`m.${field} @@ a.is_${everyWeight}`)
  return sql`case when not ${isMore} then 1 ${sql.join(grades, sql` `)} end`
}

function counts(field: 'words' | 'hints'): RawBuilder<string> {
  const hasTerm = sql.raw(`m.${field} @@ a.held`)
  return sql`(select string_agg(case when ${hasTerm} then (${frequencySql(field)})::text else '0' end, ''
    order by a.place) from requested a)`
}

/** Agents and projects may share a session key. */
const isSameSession = sql`n.session_id = m.session_id and n.agent_id = m.agent_id
        and coalesce(n.project, '') = coalesce(m.project, '')`

/** The session neighbours, readable or not. */
const neighboursSql = sql`select m.memory_id, earlier.memory_id as before_id, later.memory_id as after_id
  from best join memory_search m on m.memory_id = best.memory_id
    left join lateral (select n.memory_id from memory_search n
      where ${isSameSession}
        and (n.created_at, n.memory_id) < (m.created_at, m.memory_id)
      order by n.created_at desc, n.memory_id desc limit 1) earlier on true
    left join lateral (select n.memory_id from memory_search n
      where ${isSameSession}
        and (n.created_at, n.memory_id) > (m.created_at, m.memory_id)
      order by n.created_at, n.memory_id limit 1) later on true
  where m.session_id is not null`

function cosines({ identity, text }: NearVector): RawBuilder<unknown> {
  const best = (passage: string) => sql`(select max(1 - (v.vector <=> ${text}::halfvec))
    from memory_search_vectors v where v.identity = ${identity} and v.memory_id = m.memory_id
      and v.content_hash = m.content_hash and ${sql.raw(passage)})`
  return sql`${best('v.passage = 0')} as whole, ${best('v.passage > 0')} as passage`
}
