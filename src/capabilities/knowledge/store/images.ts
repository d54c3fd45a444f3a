import type { Db } from '../../../kernel/db/database.ts'
import {
  insertRows as insertAll,
  insertRowsDeferred,
  listParts,
} from '../../../kernel/db/insert-rows.ts'
import type { Tables } from './rows.ts'

/** The tables whose changes can be undone. Names, words and degrees follow from them. */
const keys = {
  entities: ['id'],
  entityAliases: ['id'],
  entityAspects: ['id'],
  entityAttributes: ['id'],
  entityDependencies: ['id'],
  knowledgeCitations: ['subjectId', 'subjectType', 'sourceKind', 'sourceId', 'quoteHash'],
  memoryEntityMentions: ['memoryId', 'entityId'],
} as const

export type ImagedTable = keyof typeof keys
export type Image = Readonly<Record<string, unknown>>

/** A changed row before and after; null where it did not exist. */
export interface Change {
  readonly table: ImagedTable
  /** The id, or the values of a longer key as JSON. */
  readonly rowId: string
  readonly before: Image | null
  readonly after: Image | null
}

/** Where the functions of this file write, and where they list what they changed. */
interface Target {
  readonly db: Db
  readonly changes: Change[]
  /** Cached rows of the batch, which each change updates. */
  readonly known?: { applyChange(change: Change): void } | undefined
  /** Statements that the caller awaits. Without it, each function awaits its own. */
  readonly pendingStatements?: Promise<unknown>[] | undefined
}

/** The database works on statements in order, so that later reads see them. */
async function send({ pendingStatements }: Target, statement: Promise<unknown>): Promise<void> {
  if (!pendingStatements) return void (await statement)
  statement.catch(() => {})
  pendingStatements.push(statement)
}

function record({ changes, known }: Target, change: Change): void {
  changes.push(change)
  known?.applyChange(change)
}

export async function insertRows<Name extends ImagedTable>(
  target: Target,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<void> {
  const insert = target.pendingStatements ? insertRowsDeferred : insertAll
  await send(target, insert(target.db, table, rows))
  for (const after of toImages(rows))
    record(target, { table, rowId: rowIdOf(table, after), before: null, after })
}

/** Sets the same columns of all rows. The rows are as they were read in this transaction. */
export async function updateRows<Name extends ImagedTable>(
  target: Target,
  { table, rows }: { readonly table: Name; readonly rows: readonly Tables[Name][] },
  set: Partial<Tables[Name]>,
): Promise<void> {
  const [key, ...others] = keys[table]
  const parts = others.length === 0 ? listParts(toImages(rows)) : rows.map((row) => [row])
  for (const part of parts as Image[][]) {
    let update = untyped(target.db)
      .updateTable<string>(table)
      .set(set as Image)
      .where(
        key,
        'in',
        part.map((row) => row[key]),
      )
    for (const other of others) update = update.where(other, '=', part[0]?.[other])
    await send(target, update.execute())
    for (const before of part)
      record(target, {
        table,
        rowId: rowIdOf(table, before),
        before,
        after: { ...before, ...set },
      })
  }
}

export async function deleteRows<Name extends ImagedTable>(
  target: Target,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<void> {
  for (const before of toImages(rows)) {
    const rowId = rowIdOf(table, before)
    await send(target, deleteRow(target.db, table, rowId))
    record(target, { table, rowId, before, after: null })
  }
}

export async function findRow(
  db: Db,
  table: ImagedTable,
  rowId: string,
): Promise<Image | undefined> {
  let select = untyped(db).selectFrom(table).selectAll()
  for (const [key, value] of keyValues(table, rowId)) select = select.where(key, '=', value)
  return select.executeTakeFirst()
}

/** Inserts the row, or replaces the stored one. */
export async function putRow(db: Db, table: ImagedTable, row: Image): Promise<void> {
  await untyped(db)
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns([...keys[table]]).doUpdateSet(row))
    .execute()
}

export async function deleteRow(db: Db, table: ImagedTable, rowId: string): Promise<void> {
  let remove = untyped(db).deleteFrom(table)
  for (const [key, value] of keyValues(table, rowId)) remove = remove.where(key, '=', value)
  await remove.execute()
}

function toImages(rows: readonly object[]): readonly Image[] {
  return rows as readonly Image[]
}

function untyped(db: Db) {
  return db.withTables<Record<string, Image>>()
}

function rowIdOf(table: ImagedTable, row: Image): string {
  const values = keys[table].map((key) => row[key])
  return values.length === 1 ? String(values[0]) : JSON.stringify(values)
}

function keyValues(table: ImagedTable, rowId: string): [string, unknown][] {
  const values: unknown[] = keys[table].length === 1 ? [rowId] : JSON.parse(rowId)
  return keys[table].map((key, at) => [key, values[at]])
}
