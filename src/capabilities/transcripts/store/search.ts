import { type Expression, type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

export interface SearchScope {
  readonly agentId: string
  readonly project?: string | undefined
  /** Only this session. */
  readonly sessionKey?: string | undefined
  /** Sessions to exclude. */
  readonly except?: readonly string[] | undefined
  /** Limits the search to sessions active in this interval; the end is exclusive. */
  readonly during?: { readonly start: string; readonly end: string } | undefined
}

interface Search {
  /** Lower case; letters and digits only. */
  readonly words: readonly string[]
  readonly limit: number
}

export interface SessionMatch {
  readonly sessionKey: string
  readonly project: string | null
  readonly updatedAt: string
  readonly rank: number
  /** The text around the first matched word. */
  readonly window: string
  readonly isCut: { readonly before: boolean; readonly after: boolean }
}

/** Characters that are read around a match; the whole text may be megabytes. */
const window = { before: 600, length: 1_600 } as const
/** Sessions that a substring search scans. */
const maxScannedSessions = 500
/** Words that locate an excerpt. */
const maxLocatedWords = 4

const content = sql.ref('session_transcripts.content')

interface RankedRow {
  readonly position: number
  readonly rank: number
}

/** The session of this key or id. */
export async function findSessionByName(
  db: Db,
  scope: SearchScope,
  name: string,
): Promise<SessionMatch | undefined> {
  const rows = await sessionsInScope(db, scope)
    .select('sessionTranscripts.position')
    .select(sql<number>`0`.as('rank'))
    .where(({ eb, or }) => or([eb('sessionKey', '=', name), eb('sessionId', '=', name)]))
    .limit(1)
    .execute()
  const [hit] = await readHits(db, rows, [])
  return hit
}

/** Matches any of the words; the best first, then the newest. */
export async function searchFullText(
  db: Db,
  scope: SearchScope,
  search: Search,
): Promise<SessionMatch[]> {
  const query =
    engineOf(db) === 'postgres' ? postgresQuery(db, scope, search) : sqliteQuery(db, scope, search)
  return readHits(db, await query.execute(), search.words)
}

/** A session ranks by its best piece. */
function sqliteQuery(db: Db, scope: SearchScope, { words, limit }: Search) {
  return (
    tables(db)
      // A materialized CTE, because bm25() is unavailable in grouped queries.
      .with(
        (cte) => cte('found').materialized(),
        (query) =>
          query
            .selectFrom('sessionTranscriptsFts')
            .select('rowid')
            .select(sql<number>`bm25(session_transcripts_fts)`.as('rank'))
            .where(sql<SqlBool>`session_transcripts_fts match ${joinWithOr(words)}`),
      )
      .selectFrom('found')
      .innerJoin('sessionTranscriptPieces as piece', 'piece.position', 'found.rowid')
      .innerJoin('sessionTranscripts', 'sessionTranscripts.position', 'piece.transcript')
      .select('sessionTranscripts.position')
      .select(({ fn }) => fn.min('found.rank').as('rank'))
      .where(
        'sessionTranscripts.position',
        'in',
        sessionsInScope(db, scope).select('sessionTranscripts.position'),
      )
      .groupBy(['sessionTranscripts.position', 'sessionTranscripts.updatedAt'])
      .orderBy('rank')
      .orderBy('sessionTranscripts.updatedAt', 'desc')
      .limit(limit)
  )
}

function postgresQuery(db: Db, scope: SearchScope, { words, limit }: Search) {
  const query = sql`websearch_to_tsquery('simple', ${joinWithOr(words)})`
  return sessionsInScope(db, scope)
    .innerJoin(
      'sessionTranscriptPieces as piece',
      'piece.transcript',
      'sessionTranscripts.position',
    )
    .select('sessionTranscripts.position')
    .select(sql<number>`min(-ts_rank_cd(piece.words, ${query}))`.as('rank'))
    .where(sql<SqlBool>`piece.words @@ ${query}`)
    .groupBy(['sessionTranscripts.position', 'sessionTranscripts.updatedAt'])
    .orderBy('rank')
    .orderBy('sessionTranscripts.updatedAt', 'desc')
    .limit(limit)
}

/** Ranks by the number of words that the text contains as substrings. */
export async function searchSubstrings(
  db: Db,
  scope: SearchScope,
  { words, limit }: Search,
): Promise<SessionMatch[]> {
  const counts = words.map((word) => sql`case when ${positionOf(db, word)} > 0 then 1 else 0 end`)
  const count = sql<number>`(${sql.join(counts, sql` + `)})`
  const latest = sessionsInScope(db, scope)
    .select('sessionTranscripts.position')
    .orderBy('sessionTranscripts.updatedAt', 'desc')
    .limit(maxScannedSessions)
  const rows = await sessionsInScope(db, scope)
    .select('sessionTranscripts.position')
    .select(count.as('rank'))
    .where('sessionTranscripts.position', 'in', latest)
    .where(count, '>', 0)
    .orderBy('rank', 'desc')
    .orderBy('sessionTranscripts.updatedAt', 'desc')
    .limit(limit)
    .execute()
  return readHits(db, rows, words)
}

/** Preserves the ranking. The database cuts the texts, which may be megabytes. */
async function readHits(
  db: Db,
  ranking: readonly RankedRow[],
  words: readonly string[],
): Promise<SessionMatch[]> {
  if (ranking.length === 0) return []
  const positions = words
    .slice(0, maxLocatedWords)
    .map((word) => sql`nullif(${positionOf(db, word)}, 0)`)
  const first = sql<number>`coalesce(${sql.join([...positions, sql`1`, sql`1`])})`
  const rows = await tables(db)
    .with('placed', (query) =>
      query
        .selectFrom('sessionTranscripts')
        .select(['position', first.as('first')])
        .where(
          'position',
          'in',
          ranking.map(({ position }) => position),
        ),
    )
    .selectFrom('placed')
    .innerJoin('sessionTranscripts', 'sessionTranscripts.position', 'placed.position')
    .select(['sessionTranscripts.position', 'sessionKey', 'project', 'updatedAt', 'first'])
    .select(
      sql<string>`substr(${content}, ${startOf('placed.first')}, ${sql.lit(window.length)})`.as(
        'window',
      ),
    )
    .select(sql<number>`length(${content})`.as('length'))
    .execute()
  return ranking.flatMap(({ position, rank }) => {
    const row = rows.find((candidate) => Number(candidate.position) === Number(position))
    return row ? [toHit(row, Number(rank))] : []
  })
}

function sessionsInScope(db: Db, { agentId, project, sessionKey, except, during }: SearchScope) {
  let query = tables(db)
    .selectFrom('sessionTranscripts')
    .where('sessionTranscripts.agentId', '=', agentId)
  if (project !== undefined) query = query.where('sessionTranscripts.project', '=', project)
  if (sessionKey !== undefined)
    query = query.where('sessionTranscripts.sessionKey', '=', sessionKey)
  if (during)
    query = query
      .where('sessionTranscripts.createdAt', '<', during.end)
      .where('sessionTranscripts.updatedAt', '>=', during.start)
  return except === undefined || except.length === 0
    ? query
    : query.where('sessionTranscripts.sessionKey', 'not in', except)
}

function startOf(column: string) {
  const first = sql.ref(column)
  const before = sql.lit(window.before)
  return sql<number>`case when ${first} > ${before} then ${first} - ${before} else 1 end`
}

/** 1-based; 0 without a match. */
function positionOf(db: Db, word: string): Expression<number> {
  return engineOf(db) === 'postgres'
    ? sql<number>`strpos(lower(${content}), ${word})`
    : sql<number>`instr(lower(${content}), ${word})`
}

interface Row extends Pick<SessionMatch, 'sessionKey' | 'project' | 'updatedAt' | 'window'> {
  readonly first: number
  readonly length: number
}

function toHit({ first, length, window: text, sessionKey, project, updatedAt }: Row, rank: number) {
  const start = Math.max(0, Number(first) - window.before - 1)
  const isCut = { before: start > 0, after: start + text.length < Number(length) }
  return { sessionKey, project, updatedAt, rank, window: text, isCut }
}

/** Quoting prevents words from being parsed as operators. */
function joinWithOr(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' OR ')
}
