import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { DatabaseError } from '../../../kernel/db/database-error.ts'
import type { Ranking } from '../expression.ts'
import type { MemoryHit, MemoryView, SearchRequest } from '../search-request.ts'
import { contains } from './contains.ts'
import { foundColumns, isAmong, matching, selectFound } from './matching.ts'
import { type MemoryRow, tables } from './rows.ts'
import { toTsquery } from './tsquery.ts'

/** Full text, in FTS5's syntax on both engines; undefined when the text is no such expression. */
export async function searchExpression(
  db: Db,
  expression: string,
  request: SearchRequest & { readonly ranking?: Ranking },
): Promise<MemoryHit[] | undefined> {
  const rows =
    engineOf(db) === 'postgres'
      ? await askServer(expression, (query) => selectRanked(db, query, request).execute())
      : await askIndex(() => selectIndexed(db, expression, request).execute())
  return rows?.map(toFound)
}

/** The words of the hints an agent has left for its memories; each memory once, by its best hint. */
export async function searchHints(
  db: Db,
  expression: string,
  request: SearchRequest,
): Promise<MemoryHit[] | undefined> {
  const rows =
    engineOf(db) === 'postgres'
      ? await askServer(expression, (query) => selectRankedHints(db, query, request).execute())
      : await askIndex(() => selectIndexedHints(db, expression, request).execute())
  if (!rows) return undefined
  const best = new Map(rows.toReversed().map((row) => [row.id, row]))
  return [...best.values()].reverse().map(toFound)
}

/** What a server finds for an expression; undefined when it is none. */
export async function askServer<Row>(
  expression: string,
  select: (query: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<Row[] | undefined> {
  const query = toTsquery(expression)
  if (!query) return query === undefined ? undefined : []
  return select(sql`${query}::tsquery`)
}

/** What the index of a file finds; undefined when it is asked with what is no expression. */
export async function askIndex<Row>(select: () => Promise<Row[]>): Promise<Row[] | undefined> {
  try {
    return await select()
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 'SQLITE_ERROR') return undefined
    throw error
  }
}

/** No index knows pieces of words: so many memories are read for them in a small part of a second. */
const readForPieces = 2000

/**
 * Pieces of words, where the index knows no words: as many as are held, that is the magnitude. They
 * are looked for in the newest memories that match, not in all.
 */
export async function searchPieces(
  db: Db,
  pieces: readonly string[],
  request: SearchRequest,
): Promise<MemoryHit[]> {
  const held = pieces.map((piece) => contains(sql.ref('memories.content'), piece))
  const count = sql<number>`${sql.join(
    held.map((condition) => sql`case when ${condition} then 1 else 0 end`),
    sql` + `,
  )}`
  const newest = tables(db)
    .selectFrom('memories')
    .select('memories.id')
    .where(matching(db, request))
    .orderBy('memories.createdAt', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(readForPieces)
  const rows = await selectFound(db, request, isAmong(db, newest))
    .select(count.as('magnitude'))
    .where((eb) => eb.or(held))
    .orderBy('magnitude', 'desc')
    .orderBy('memories.createdAt', 'desc')
    .execute()
  return rows.map(toFound)
}

/** In how many live memories each of the words is, if in any; undefined where nobody counts. */
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

/** The index comes first, for its order is the answer's: it stops when enough rows have passed. */
function selectIndexed(
  db: Db,
  expression: string,
  { ranking = 'best', ...request }: SearchRequest & { readonly ranking?: Ranking },
) {
  const found = tables(db)
    .selectFrom('memoriesFts')
    .crossJoin('memories')
    .leftJoin('memoryAccess', 'memoryAccess.memoryId', 'memories.id')
    .select(foundColumns)
    .whereRef('memories.position', '=', 'memoriesFts.rowid')
    .where(sql<SqlBool>`memories_fts match ${expression}`)
    .where(matching(db, request))
    .limit(request.limit)
  return ranking === 'best'
    ? found.select(sql<number>`-memories_fts.rank`.as('magnitude')).orderBy('memoriesFts.rank')
    : found.select(sql<number>`1`.as('magnitude')).orderBy('memoriesFts.rowid', 'desc')
}

function selectIndexedHints(db: Db, expression: string, request: SearchRequest) {
  return tables(db)
    .selectFrom('memoryHintsFts')
    .crossJoin('memoryHints')
    .crossJoin('memories')
    .leftJoin('memoryAccess', 'memoryAccess.memoryId', 'memories.id')
    .select(foundColumns)
    .select(sql<number>`-memory_hints_fts.rank`.as('magnitude'))
    .whereRef('memoryHints.position', '=', 'memoryHintsFts.rowid')
    .whereRef('memories.id', '=', 'memoryHints.memoryId')
    .where('memoryHints.agentId', '=', request.readScope.agentId)
    .where(sql<SqlBool>`memory_hints_fts match ${expression}`)
    .where(matching(db, request))
    .orderBy('memoryHintsFts.rank')
    .limit(request.limit)
}

function selectRanked(db: Db, query: RawBuilder<unknown>, request: SearchRequest) {
  return selectFound(db, request)
    .select(sql<number>`ts_rank(memories.words, ${query}, 1)`.as('magnitude'))
    .where(sql<SqlBool>`memories.words @@ ${query}`)
    .orderBy('magnitude', 'desc')
}

function selectRankedHints(db: Db, query: RawBuilder<unknown>, request: SearchRequest) {
  return selectFound(db, request)
    .innerJoin('memoryHints', 'memoryHints.memoryId', 'memories.id')
    .select(sql<number>`ts_rank(memory_hints.words, ${query}, 1)`.as('magnitude'))
    .where('memoryHints.agentId', '=', request.readScope.agentId)
    .where(sql<SqlBool>`memory_hints.words @@ ${query}`)
    .orderBy('magnitude', 'desc')
}

type FoundRow = Omit<MemoryView, 'pinned' | 'tags'> &
  Pick<MemoryRow, 'pinned' | 'tags'> & {
    readonly magnitude: number
    readonly accessCount: number | null
    readonly lastAccessed: string | null
  }

export function toFound(row: FoundRow): MemoryHit {
  const { magnitude, accessCount, lastAccessed } = row
  const { id, content, type, importance, confidence, createdAt } = row
  const { who, visibility, scope, project, sessionId, sourceType, sourceId, sourcePath } = row
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
