import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { DatabaseError } from '../../../kernel/db/database-error.ts'
import type { Ranking } from '../expression.ts'
import type { MemoryHit, MemoryView, SearchRequest } from '../search-request.ts'
import { contains } from './filter.ts'
import { hitColumns, isAmong, matchesRequest, selectHits } from './matching.ts'
import { type MemoryRow, tables } from './rows.ts'
import { toTsquery } from './tsquery.ts'

/** Full-text search in FTS5 syntax on both engines. Undefined for invalid syntax. */
export async function searchExpression(
  db: Db,
  expression: string,
  request: SearchRequest & { readonly ranking?: Ranking },
): Promise<MemoryHit[] | undefined> {
  const rows =
    engineOf(db) === 'postgres'
      ? await searchPostgres(expression, (query) => selectTsvector(db, query, request).execute())
      : await searchSqlite(() => selectFts5(db, expression, request).execute())
  return rows?.map(toHit)
}

/** Searches the hints of an agent. Each memory appears once, with its best hint. */
export async function searchHints(
  db: Db,
  expression: string,
  request: SearchRequest,
): Promise<MemoryHit[] | undefined> {
  const rows =
    engineOf(db) === 'postgres'
      ? await searchPostgres(expression, (query) =>
          selectTsvectorHints(db, query, request).execute(),
        )
      : await searchSqlite(() => selectFts5Hints(db, expression, request).execute())
  if (!rows) return undefined
  const best = new Map(rows.toReversed().map((row) => [row.id, row]))
  return [...best.values()].reverse().map(toHit)
}

/** Runs a select with a tsquery. Undefined for invalid syntax. */
export async function searchPostgres<Row>(
  expression: string,
  select: (query: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<Row[] | undefined> {
  const query = toTsquery(expression)
  if (!query) return query === undefined ? undefined : []
  return select(sql`${query}::tsquery`)
}

/** Runs an FTS5 select. Undefined for invalid syntax. */
export async function searchSqlite<Row>(select: () => Promise<Row[]>): Promise<Row[] | undefined> {
  try {
    return await select()
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 'SQLITE_ERROR') return undefined
    throw error
  }
}

/** Substrings have no index, so only the newest memories are scanned. */
const maxScanned = 2000

/**
 * Substring search, for scripts without spaces. The magnitude is the number of matching
 * pieces. Scans the newest matching memories only.
 */
export async function searchPieces(
  db: Db,
  pieces: readonly string[],
  request: SearchRequest,
): Promise<MemoryHit[]> {
  const conditions = pieces.map((piece) => contains(sql.ref('memories.content'), piece))
  const count = sql<number>`${sql.join(
    conditions.map((condition) => sql`case when ${condition} then 1 else 0 end`),
    sql` + `,
  )}`
  const newest = tables(db)
    .selectFrom('memories')
    .select('memories.id')
    .where(matchesRequest(db, request))
    .orderBy('memories.createdAt', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(maxScanned)
  const rows = await selectHits(db, request, isAmong(db, newest))
    .select(count.as('magnitude'))
    .where((eb) => eb.or(conditions))
    .orderBy('magnitude', 'desc')
    .orderBy('memories.createdAt', 'desc')
    .execute()
  return rows.map(toHit)
}

/** Document frequencies of terms in stored memories. Undefined on PostgreSQL. */
export async function countTerms(
  db: Db,
  terms: readonly string[],
): Promise<Map<string, number> | undefined> {
  if (engineOf(db) === 'postgres') return undefined
  if (terms.length === 0) return new Map()
  const rows = await tables(db)
    .selectFrom('memoriesTerms')
    .selectAll()
    .where('term', 'in', terms)
    .execute()
  return new Map(rows.map(({ term, doc }) => [term, doc]))
}

/** The index is the outer loop because its order is the result order; it stops at the limit. */
function selectFts5(
  db: Db,
  expression: string,
  { ranking = 'best', ...request }: SearchRequest & { readonly ranking?: Ranking },
) {
  const matches = tables(db)
    .selectFrom('memoriesFts')
    .crossJoin('memories')
    .leftJoin('memoryAccess', 'memoryAccess.memoryId', 'memories.id')
    .select(hitColumns)
    .whereRef('memories.position', '=', 'memoriesFts.rowid')
    .where(sql<SqlBool>`memories_fts match ${expression}`)
    .where(matchesRequest(db, request))
    .limit(request.limit)
  return ranking === 'best'
    ? matches.select(sql<number>`-memories_fts.rank`.as('magnitude')).orderBy('memoriesFts.rank')
    : matches.select(sql<number>`1`.as('magnitude')).orderBy('memoriesFts.rowid', 'desc')
}

function selectFts5Hints(db: Db, expression: string, request: SearchRequest) {
  return tables(db)
    .selectFrom('memoryHintsFts')
    .crossJoin('memoryHints')
    .crossJoin('memories')
    .leftJoin('memoryAccess', 'memoryAccess.memoryId', 'memories.id')
    .select(hitColumns)
    .select(sql<number>`-memory_hints_fts.rank`.as('magnitude'))
    .whereRef('memoryHints.position', '=', 'memoryHintsFts.rowid')
    .whereRef('memories.id', '=', 'memoryHints.memoryId')
    .where('memoryHints.agentId', '=', request.readScope.agentId)
    .where(sql<SqlBool>`memory_hints_fts match ${expression}`)
    .where(matchesRequest(db, request))
    .orderBy('memoryHintsFts.rank')
    .limit(request.limit)
}

function selectTsvector(db: Db, query: RawBuilder<unknown>, request: SearchRequest) {
  return selectHits(db, request)
    .select(sql<number>`ts_rank(memories.words, ${query}, 1)`.as('magnitude'))
    .where(sql<SqlBool>`memories.words @@ ${query}`)
    .orderBy('magnitude', 'desc')
}

function selectTsvectorHints(db: Db, query: RawBuilder<unknown>, request: SearchRequest) {
  return selectHits(db, request)
    .innerJoin('memoryHints', 'memoryHints.memoryId', 'memories.id')
    .select(sql<number>`ts_rank(memory_hints.words, ${query}, 1)`.as('magnitude'))
    .where('memoryHints.agentId', '=', request.readScope.agentId)
    .where(sql<SqlBool>`memory_hints.words @@ ${query}`)
    .orderBy('magnitude', 'desc')
}

type HitRow = Omit<MemoryView, 'pinned' | 'tags'> &
  Pick<MemoryRow, 'pinned' | 'tags'> & {
    readonly magnitude: number
    readonly accessCount: number | null
    readonly lastAccessed: string | null
  }

export function toHit(row: HitRow): MemoryHit {
  const { magnitude, accessCount, lastAccessed } = row
  const { id, content, type, importance, confidence, createdAt } = row
  const { agentId, who, visibility, scope, project, sessionId, sourceType, sourceId, sourcePath } =
    row
  const pinned = row.pinned === 1
  const tags = row.tags === null ? [] : row.tags.split(',')
  const memory = {
    id,
    content,
    type,
    tags,
    pinned,
    importance,
    confidence,
    createdAt,
    agentId,
    who,
    visibility,
    scope,
    project,
    sessionId,
    sourceType,
    sourceId,
    sourcePath,
  }
  return { memory, magnitude, accessCount: accessCount ?? 0, lastAccessed }
}
