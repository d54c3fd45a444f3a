import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { Ranking } from '../expression.ts'
import type { Memory } from '../memory.ts'
import { contains } from './contains.ts'
import { type MemoryFilter, matchesLive } from './filter.ts'
import { type MemoryRow, memoryColumns, tables, toMemory } from './rows.ts'
import { searchPostgres, searchSqlite } from './search.ts'

export interface TextSearch {
  /** In FTS5's syntax, on both engines. */
  readonly expression: string
  /** Undefined for an invalid expression. */
  readonly ranking: Ranking | undefined
  readonly filter: MemoryFilter
  readonly limit: number
}

export interface TextHit {
  readonly memory: Memory
  /** Relevance on the engine's scale. 0 when unranked. */
  readonly weight: number
}

const unranked = sql<number>`0`.as('weight')

/** Searches live memories, best first. Invalid syntax is searched as plain text. */
export async function searchText(db: Db, scope: ReadScope, search: TextSearch): Promise<TextHit[]> {
  const ranked = search.ranking && (await searchRanked(db, scope, search))
  return ranked ?? searchSubstring(db, scope, search)
}

/** Undefined for invalid syntax. */
async function searchRanked(db: Db, scope: ReadScope, search: TextSearch) {
  return engineOf(db) === 'postgres'
    ? searchPostgres(search.expression, (query) => searchTsvector(db, scope, { ...search, query }))
    : searchSqlite(() => searchFts5(db, scope, search))
}

async function searchFts5(db: Db, scope: ReadScope, search: TextSearch) {
  const { expression, ranking, filter, limit } = search
  const rows = await tables(db)
    .selectFrom('memories')
    .innerJoin('memoriesFts', 'memoriesFts.rowid', 'memories.position')
    .select(memoryColumns)
    .select(ranking === 'best' ? sql<number>`-bm25(memories_fts)`.as('weight') : unranked)
    .where(sql<SqlBool>`memories_fts match ${expression}`)
    .where(matchesLive(scope, filter))
    .orderBy(ranking === 'best' ? sql`memories_fts.rank` : sql`memories.position desc`)
    .limit(limit)
    .execute()
  return rows.map(toTextHit)
}

interface WordSearch extends Pick<TextSearch, 'filter' | 'limit'> {
  readonly query: RawBuilder<unknown>
}

async function searchTsvector(db: Db, scope: ReadScope, { query, filter, limit }: WordSearch) {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .select(sql<number>`ts_rank_cd(memories.words, ${query})`.as('weight'))
    .where(sql<SqlBool>`memories.words @@ ${query}`)
    .where(matchesLive(scope, filter))
    .orderBy('weight', 'desc')
    .orderBy('memories.createdAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toTextHit)
}

async function searchSubstring(
  db: Db,
  scope: ReadScope,
  { expression, filter, limit }: TextSearch,
) {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .select(unranked)
    .where((eb) =>
      eb.or([
        contains(sql.ref('memories.content'), expression),
        contains(sql.ref('memories.tags'), expression),
      ]),
    )
    .where(matchesLive(scope, filter))
    .orderBy('memories.createdAt', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toTextHit)
}

function toTextHit({ weight, ...row }: MemoryRow & { readonly weight: number }): TextHit {
  return { memory: toMemory(row), weight: Number(weight) }
}
