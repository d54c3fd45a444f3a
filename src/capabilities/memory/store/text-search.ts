import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { Ranking } from '../expression.ts'
import type { Memory } from '../memory.ts'
import { contains } from './contains.ts'
import { liveMatching, type MemoryFilter } from './filter.ts'
import { type MemoryRow, memoryColumns, tables, toMemory } from './rows.ts'
import { askIndex, askServer } from './search.ts'

export interface TextSearch {
  /** In FTS5's syntax, on both engines. */
  readonly expression: string
  /** Undefined for what is no expression. */
  readonly ranking: Ranking | undefined
  readonly filter: MemoryFilter
  readonly limit: number
}

export interface Found {
  readonly memory: Memory
  /** How well it fits, on the engine's own scale; 0 where nothing was ranked. */
  readonly weight: number
}

const unranked = sql<number>`0`.as('weight')

/** Live memories with these words, best first. What is no valid expression is looked for as it stands. */
export async function searchText(db: Db, scope: ReadScope, search: TextSearch): Promise<Found[]> {
  const ranked = search.ranking && (await searchRanked(db, scope, search))
  return ranked ?? searchVerbatim(db, scope, search)
}

/** Undefined for what is no valid expression. */
async function searchRanked(db: Db, scope: ReadScope, search: TextSearch) {
  return engineOf(db) === 'postgres'
    ? askServer(search.expression, (query) => searchWords(db, scope, { ...search, query }))
    : askIndex(() => searchFts5(db, scope, search))
}

async function searchFts5(db: Db, scope: ReadScope, search: TextSearch) {
  const { expression, ranking, filter, limit } = search
  const rows = await tables(db)
    .selectFrom('memories')
    .innerJoin('memoriesFts', 'memoriesFts.rowid', 'memories.position')
    .select(memoryColumns)
    .select(ranking === 'best' ? sql<number>`-bm25(memories_fts)`.as('weight') : unranked)
    .where(sql<SqlBool>`memories_fts match ${expression}`)
    .where(liveMatching(scope, filter))
    .orderBy(ranking === 'best' ? sql`memories_fts.rank` : sql`memories.position desc`)
    .limit(limit)
    .execute()
  return rows.map(toFound)
}

interface WordSearch extends Pick<TextSearch, 'filter' | 'limit'> {
  readonly query: RawBuilder<unknown>
}

async function searchWords(db: Db, scope: ReadScope, { query, filter, limit }: WordSearch) {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .select(sql<number>`ts_rank_cd(memories.words, ${query})`.as('weight'))
    .where(sql<SqlBool>`memories.words @@ ${query}`)
    .where(liveMatching(scope, filter))
    .orderBy('weight', 'desc')
    .orderBy('memories.createdAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toFound)
}

async function searchVerbatim(db: Db, scope: ReadScope, { expression, filter, limit }: TextSearch) {
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
    .where(liveMatching(scope, filter))
    .orderBy('memories.createdAt', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toFound)
}

function toFound({ weight, ...row }: MemoryRow & { readonly weight: number }): Found {
  return { memory: toMemory(row), weight: Number(weight) }
}
