import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The values of a row's key columns. */
export type RowKey = readonly (string | number)[]
type Texts = readonly (string | null)[]

export interface TextRows {
  readonly table: string
  /** Columns of a unique index, in its order. */
  readonly keys: readonly string[]
  readonly columns: readonly string[]
  /** SQL condition that selects rows. */
  readonly where?: string
  /** Returns the new values of the columns. */
  rewrite(texts: Texts, key: RowKey): Texts
}

interface Page {
  readonly after: RowKey | undefined
  readonly limit: number
}

/** Rewrites one page of rows. Returns the last key, or undefined after the last page. */
export async function rewritePage(
  db: Db,
  rows: TextRows,
  { after, limit }: Page,
): Promise<RowKey | undefined> {
  const page = await readPage(db, rows, { after, limit })
  for (const row of page) await rewriteRow(db, rows, row)
  return page.length < limit ? undefined : page.at(-1)?.key
}

interface Row {
  readonly key: RowKey
  readonly texts: Texts
}

async function readPage(
  db: Db,
  { table, keys, columns, where = 'true' }: TextRows,
  { after, limit }: Page,
): Promise<readonly Row[]> {
  const names = toList(keys)
  const selected = [...keys, ...columns].map((name, at) => sql`${sql.ref(name)} as ${alias(at)}`)
  const behind = after ? sql`and (${names}) > (${sql.join(after)})` : sql``
  const { rows } = await sql<Record<string, string | number | null>>`
    select ${sql.join(selected)} from ${sql.table(table)} where ${sql.raw(where)} ${behind}
    order by ${names} limit ${sql.lit(limit)}`.execute(db)
  return rows.map((row) => {
    const values = selected.map((_, at) => row[`c${at}`] ?? null)
    return {
      key: values.slice(0, keys.length) as RowKey,
      texts: values.slice(keys.length) as Texts,
    }
  })
}

async function rewriteRow(
  db: Db,
  { table, keys, columns, rewrite }: TextRows,
  { key, texts }: Row,
): Promise<void> {
  const changes = rewrite(texts, key).flatMap((value, at) => {
    const before = texts[at] ?? null
    return value === before ? [] : [{ column: sql.ref(columns[at] ?? ''), value, before }]
  })
  if (changes.length === 0) return
  const set = changes.map(({ column, value }) => sql`${column} = ${value}`)
  // A row that changed since the read has clean text.
  const unchanged = changes.map(({ column, before }) => sql`${column} = ${before}`)
  await sql`update ${sql.table(table)} set ${sql.join(set)}
    where (${toList(keys)}) = (${sql.join(key)}) and ${sql.join(unchanged, sql` and `)}`.execute(db)
}

function toList(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(name)))
}

function alias(at: number) {
  return sql.ref(`c${at}`)
}

const rowsPerPage = 200

/** Rewrites all rows. For migrations of short texts: run it in their transaction. */
export async function rewriteTexts(db: Db, rows: TextRows): Promise<void> {
  let after: RowKey | undefined
  do after = await rewritePage(db, rows, { after, limit: rowsPerPage })
  while (after)
}
