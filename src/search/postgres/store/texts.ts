import { type Insertable, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type Field, type SearchRow, tables } from './rows.ts'

/** The indexed content of a deleted row. */
export interface DeletedRow {
  readonly memoryId: string
  readonly who: string
  readonly deleted: number
  readonly words: readonly string[]
  readonly wordsLength: number
  readonly hints: readonly string[]
  readonly hintsLength: number
  readonly pieces: Uint8Array
  readonly piecesLength: number
}

export async function deleteRows(db: Db, memoryIds: readonly string[]): Promise<DeletedRow[]> {
  if (memoryIds.length === 0) return []
  return tables(db)
    .deleteFrom('memorySearch')
    .where('memoryId', 'in', memoryIds)
    .returning(['memoryId', 'who', 'deleted', 'pieces', 'wordsLength', 'hintsLength'])
    .returning([
      'piecesLength',
      sql<readonly string[]>`tsvector_to_array(words)`.as('words'),
      sql<readonly string[]>`tsvector_to_array(hints)`.as('hints'),
    ])
    .execute()
}

/** `words` and `hints` in tsvector form, `validity` as multirange. */
export async function insertRows(db: Db, rows: readonly Insertable<SearchRow>[]): Promise<void> {
  if (rows.length === 0) return
  await tables(db)
    .insertInto('memorySearch')
    .values(
      rows.map((row) => ({
        ...row,
        words: sql<string>`${row.words}::tsvector`,
        hints: sql<string>`${row.hints}::tsvector`,
        validity: sql<string | null>`${row.validity}::int8multirange`,
      })),
    )
    .execute()
}

/** The change of a document frequency. */
export interface TermChange {
  readonly field: Field
  readonly term: string
  readonly change: number
}

/** Terms without documents are deleted. */
export async function changeTermCounts(db: Db, changes: readonly TermChange[]): Promise<void> {
  if (changes.length === 0) return
  const column = (read: (change: TermChange) => string | number) => changes.map(read)
  await sql`insert into memory_search_terms (field, term, holding)
    select * from unnest(${column(({ field }) => field)}::text[],
      ${column(({ term }) => term)}::text[], ${column(({ change }) => change)}::integer[])
    on conflict (field, term)
      do update set holding = memory_search_terms.holding + excluded.holding`.execute(db)
  const decreased = changes.filter(({ change }) => change < 0)
  await sql`delete from memory_search_terms t
    using unnest(${decreased.map(({ field }) => field)}::text[],
      ${decreased.map(({ term }) => term)}::text[]) as fewer (field, term)
    where t.field = fewer.field and t.term = fewer.term and t.holding <= 0`.execute(db)
}

export async function changeFieldTotals(
  db: Db,
  { field, texts, length }: { readonly field: Field; readonly texts: number; length: number },
): Promise<void> {
  await tables(db)
    .updateTable('memorySearchFields')
    .set((eb) => ({ texts: eb('texts', '+', texts), length: eb('length', '+', length) }))
    .where('field', '=', field)
    .execute()
}

export async function insertNames(
  db: Db,
  names: readonly { readonly word: string; readonly who: string }[],
): Promise<void> {
  if (names.length === 0) return
  await tables(db)
    .insertInto('memorySearchNames')
    .values(names)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes names of speakers without memories. */
export async function deleteNames(db: Db, whos: readonly string[]): Promise<void> {
  if (whos.length === 0) return
  await tables(db)
    .deleteFrom('memorySearchNames')
    .where('who', 'in', whos)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memorySearch')
            .select('memoryId')
            .whereRef('memorySearch.who', '=', 'memorySearchNames.who'),
        ),
      ),
    )
    .execute()
}
