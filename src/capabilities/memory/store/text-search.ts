import { type SqlBool, sql } from 'kysely'
import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { Ranking } from '../expression.ts'
import type { Memory } from '../memory.ts'
import { containsInTextOrTags, type MemoryFilter, matchesLive } from './filter.ts'

import { memoryColumns, tables, toMemory } from './rows.ts'
import { searchPostgres, searchSqlite } from './search.ts'

interface Selection {
  readonly filter: MemoryFilter
  readonly limit: number
}

export interface TextSearch extends Selection {
  /** In FTS5's syntax, on both engines. */
  readonly expression: string
  /** Undefined for an invalid expression. */
  readonly ranking: Ranking | undefined
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
  const rows = ranked ?? (await searchSubstring(db, scope, search))
  return rows.map(({ weight, ...row }) => ({ memory: toMemory(row), weight: Number(weight) }))
}

/** Lists live memories of a filter: pinned first, then by importance and last change. */
export async function selectFiltered(
  db: Db,
  scope: ReadScope,
  selection: Selection,
): Promise<Memory[]> {
  const rows = await selectLive(db, scope, selection)
    .orderBy('pinned', 'desc')
    .orderBy('importance', 'desc')
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toMemory)
}

/** Undefined for invalid syntax. */
function searchRanked(db: Db, scope: ReadScope, search: TextSearch) {
  return engineOf(db) === 'postgres'
    ? searchPostgres(search.expression, (query) =>
        selectLive(db, scope, search)
          .select(sql<number>`ts_rank_cd(memories.words, ${query})`.as('weight'))
          .where(sql<SqlBool>`memories.words @@ ${query}`)
          .orderBy('weight', 'desc')
          .orderBy('memories.createdAt', 'desc')
          .execute(),
      )
    : searchSqlite(() => selectFts5(db, scope, search).execute())
}

function selectFts5(db: Db, scope: ReadScope, search: TextSearch) {
  const { expression, ranking } = search
  return selectLive(db, scope, search)
    .innerJoin('memoriesFts', 'memoriesFts.rowid', 'memories.position')
    .select(ranking === 'best' ? sql<number>`-bm25(memories_fts)`.as('weight') : unranked)
    .where(sql<SqlBool>`memories_fts match ${expression}`)
    .orderBy(ranking === 'best' ? sql`memories_fts.rank` : sql`memories.position desc`)
}

function searchSubstring(db: Db, scope: ReadScope, search: TextSearch) {
  return selectLive(db, scope, search)
    .select(unranked)
    .where(containsInTextOrTags(search.expression))
    .orderBy('memories.createdAt', 'desc')
    .orderBy('memories.id', 'desc')
    .execute()
}

function selectLive(db: Db, scope: ReadScope, { filter, limit }: Selection) {
  return tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where(matchesLive(scope, filter))
    .limit(limit)
}
