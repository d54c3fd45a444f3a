import { type Expression, type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

export interface SearchScope {
  readonly agentId: string
  readonly project?: string | undefined
  /** Only this session. */
  readonly sessionKey?: string | undefined
  /** All but this one. */
  readonly except?: string | undefined
  /** Only those that lasted into this time, whose end is exclusive. */
  readonly during?: { readonly start: string; readonly end: string } | undefined
}

interface Search {
  /** Lower case, letters and digits alone. */
  readonly words: readonly string[]
  readonly limit: number
}

export interface Hit {
  readonly sessionKey: string
  readonly project: string | null
  readonly updatedAt: string
  readonly rank: number
  /** The text around the first word that was found. */
  readonly window: string
  readonly isCut: { readonly before: boolean; readonly after: boolean }
}

/** A text is too long to be asked for as a whole. */
const window = { before: 600, length: 1_600 } as const
/** Sessions whose texts are read through when the index knows none of the words. */
const mostRead = 500
/** Words by which the place of an excerpt is looked for. */
const mostPlaced = 4

const content = sql.ref('session_transcripts.content')

interface Place {
  readonly position: number
  readonly rank: number
}

/** The session of this key or id. */
export async function findNamed(
  db: Db,
  scope: SearchScope,
  name: string,
): Promise<Hit | undefined> {
  const rows = await within(db, scope)
    .select('sessionTranscripts.position')
    .select(sql<number>`0`.as('rank'))
    .where(({ eb, or }) => or([eb('sessionKey', '=', name), eb('sessionId', '=', name)]))
    .limit(1)
    .execute()
  const [hit] = await readHits(db, rows, [])
  return hit
}

/** By the words of the index, any of them; the best first, then the newest. */
export async function searchIndex(db: Db, scope: SearchScope, search: Search): Promise<Hit[]> {
  const query = engineOf(db) === 'postgres' ? ranked(db, scope, search) : indexed(db, scope, search)
  return readHits(db, await query.execute(), search.words)
}

/** A session is as good as its best piece. */
function indexed(db: Db, scope: SearchScope, { words, limit }: Search) {
  return (
    tables(db)
      // By itself: the index tells ranks while it is read, and not of groups.
      .with(
        (found) => found('found').materialized(),
        (query) =>
          query
            .selectFrom('sessionTranscriptsFts')
            .select('rowid')
            .select(sql<number>`bm25(session_transcripts_fts)`.as('rank'))
            .where(sql<SqlBool>`session_transcripts_fts match ${joinAny(words)}`),
      )
      .selectFrom('found')
      .innerJoin('sessionTranscriptPieces as piece', 'piece.position', 'found.rowid')
      .innerJoin('sessionTranscripts', 'sessionTranscripts.position', 'piece.transcript')
      .select('sessionTranscripts.position')
      .select(({ fn }) => fn.min('found.rank').as('rank'))
      .where(
        'sessionTranscripts.position',
        'in',
        within(db, scope).select('sessionTranscripts.position'),
      )
      .groupBy(['sessionTranscripts.position', 'sessionTranscripts.updatedAt'])
      .orderBy('rank')
      .orderBy('sessionTranscripts.updatedAt', 'desc')
      .limit(limit)
  )
}

function ranked(db: Db, scope: SearchScope, { words, limit }: Search) {
  const query = sql`websearch_to_tsquery('simple', ${joinAny(words)})`
  return within(db, scope)
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

/** By pieces of the text: how many of them it holds. */
export async function searchPieces(
  db: Db,
  scope: SearchScope,
  { words, limit }: Search,
): Promise<Hit[]> {
  const counts = words.map((word) => sql`case when ${positionOf(db, word)} > 0 then 1 else 0 end`)
  const count = sql<number>`(${sql.join(counts, sql` + `)})`
  const latest = within(db, scope)
    .select('sessionTranscripts.position')
    .orderBy('sessionTranscripts.updatedAt', 'desc')
    .limit(mostRead)
  const rows = await within(db, scope)
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

/** In the order in which they were found. The texts are cut where they are: each may be megabytes. */
async function readHits(
  db: Db,
  places: readonly Place[],
  words: readonly string[],
): Promise<Hit[]> {
  if (places.length === 0) return []
  const found = words.slice(0, mostPlaced).map((word) => sql`nullif(${positionOf(db, word)}, 0)`)
  const first = sql<number>`coalesce(${sql.join([...found, sql`1`, sql`1`])})`
  const rows = await tables(db)
    .with('placed', (query) =>
      query
        .selectFrom('sessionTranscripts')
        .select(['position', first.as('first')])
        .where(
          'position',
          'in',
          places.map(({ position }) => position),
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
  return places.flatMap(({ position, rank }) => {
    const row = rows.find((one) => Number(one.position) === Number(position))
    return row ? [toHit(row, Number(rank))] : []
  })
}

function within(db: Db, { agentId, project, sessionKey, except, during }: SearchScope) {
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
  return except === undefined ? query : query.where('sessionTranscripts.sessionKey', '!=', except)
}

function startOf(column: string) {
  const first = sql.ref(column)
  const before = sql.lit(window.before)
  return sql<number>`case when ${first} > ${before} then ${first} - ${before} else 1 end`
}

/** From 1; 0 where it is not. */
function positionOf(db: Db, word: string): Expression<number> {
  return engineOf(db) === 'postgres'
    ? sql<number>`strpos(lower(${content}), ${word})`
    : sql<number>`instr(lower(${content}), ${word})`
}

interface Row extends Pick<Hit, 'sessionKey' | 'project' | 'updatedAt' | 'window'> {
  readonly first: number
  readonly length: number
}

function toHit({ first, length, window: text, sessionKey, project, updatedAt }: Row, rank: number) {
  const start = Math.max(0, Number(first) - window.before - 1)
  const isCut = { before: start > 0, after: start + text.length < Number(length) }
  return { sessionKey, project, updatedAt, rank, window: text, isCut }
}

/** Quotes keep a word from being syntax. */
function joinAny(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' OR ')
}
