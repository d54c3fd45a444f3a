import type { Db } from '../../../kernel/db/database.ts'
import { DatabaseConflict } from '../../../kernel/db/database-error.ts'
import { listDangling } from '../store/dangling.ts'
import { type Change, deleteRow, findRow, type Image, putRow } from '../store/images.ts'
import { listCited, recountMentions } from '../store/mentions.ts'
import { listProjectedIds } from '../store/projections.ts'
import type { GraphWrite } from './graph-write.ts'
import { maxProjections } from './project-claims.ts'
import { graphRefusal } from './refusals.ts'
import { derivedColumns, digestOf, type UndoImage } from './undo-image.ts'

/**
 * Puts changed rows back as they were, the last change first. Refuses `changed_since` when a row
 * differs from that after the change, or when later rows belong to a row that would go.
 */
export async function restoreRows(write: GraphWrite, changes: readonly UndoImage[]): Promise<void> {
  const rows = await readRows(write.db, changes)
  const changedIds: string[] = []
  for (const { table, rowId, before, after } of changes.toReversed()) {
    const row = rows.get(`${table} ${rowId}`)
    if (!row) continue
    if (table !== 'memoryEntityMentions' && digestOf(row.wanted) !== after) changedIds.push(rowId)
    row.wanted = before && { ...row.wanted, ...before }
  }
  if (changedIds.length > 0) throw changedSince(changedIds)
  try {
    for (const row of rows.values()) await putBack(write, row)
  } catch (error) {
    throw error instanceof DatabaseConflict ? changedSince([]) : error
  }
  await finishRestore(write, [...rows.values()])
}

interface Row extends Pick<Change, 'table' | 'rowId'> {
  readonly stored: Image | null
  wanted: Image | null
}

async function readRows(db: Db, changes: readonly UndoImage[]): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>()
  for (const { table, rowId } of changes.toReversed()) {
    const key = `${table} ${rowId}`
    if (rows.has(key)) continue
    const stored = (await findRow(db, table, rowId)) ?? null
    rows.set(key, { table, rowId, stored, wanted: stored })
  }
  return rows
}

/** The state of the evidence is that of now. */
async function putBack(write: GraphWrite, { table, rowId, stored, wanted }: Row): Promise<void> {
  if (!wanted) {
    if (stored) await deleteRow(write.db, table, rowId)
  } else {
    const now = derivedColumns.flatMap((name) =>
      stored && name in stored ? [[name, stored[name]]] : [],
    )
    await putRow(write.db, table, { ...wanted, ...Object.fromEntries(now) })
  }
  write.changes.push({ table, rowId, before: stored, after: wanted })
}

async function finishRestore(write: GraphWrite, rows: readonly Row[]): Promise<void> {
  const goneIds = (table: Change['table']) =>
    rows.filter((row) => row.table === table && !row.wanted).map(({ rowId }) => rowId)
  const dangling = await listDangling(write.db, {
    entityIds: goneIds('entities'),
    aspectIds: goneIds('entityAspects'),
  })
  if (dangling.length > 0) throw changedSince(dangling)
  await restoreMentions(write.db, rows)
  for (const row of rows) await touch(write, row)
}

async function touch(write: GraphWrite, { table, rowId, stored, wanted }: Row): Promise<void> {
  const { entities, claims, renamed } = write.touched
  if (table === 'entityAttributes') (isMove(stored, wanted) ? renamed : claims).add(rowId)
  if (table === 'entityAliases')
    for (const row of [stored, wanted]) if (row) entities.add(String(row['entityId']))
  if (table !== 'entities') return
  entities.add(rowId)
  if (stored?.['name'] !== wanted?.['name']) await touchNamed(write, rowId)
}

/** Only the entity differs, so that only the name in the derived memory changes. */
function isMove(stored: Image | null, target: Image | null): boolean {
  const moved = new Set(['entityId', 'aspectId', 'updatedAt', ...derivedColumns])
  const names = Object.keys(stored ?? {}).filter((name) => !moved.has(name))
  return Boolean(stored && target) && names.every((name) => stored?.[name] === target?.[name])
}

async function touchNamed({ db, touched }: GraphWrite, entityId: string): Promise<void> {
  const page = { entityId, after: '', limit: maxProjections + 1 }
  for (const id of await listProjectedIds(db, page)) touched.renamed.add(id)
}

/** A memory that other rows still cite remains linked to its entity. */
async function restoreMentions(db: Db, rows: readonly Row[]): Promise<void> {
  const mentions = rows.filter(({ table }) => table === 'memoryEntityMentions')
  const removedRows = mentions.flatMap(({ stored, wanted }) => (stored && !wanted ? [stored] : []))
  const pairs = removedRows as { memoryId: string; entityId: string }[]
  for (const { memoryId, entityId } of await listCited(db, pairs)) {
    const mention = pairs.find((one) => one.memoryId === memoryId && one.entityId === entityId)
    if (mention) await putRow(db, 'memoryEntityMentions', mention as unknown as Image)
  }
  const ids = mentions.map(({ stored, wanted }) => String((stored ?? wanted)?.['entityId']))
  await recountMentions(db, [...new Set(ids)])
}

function changedSince(ids: readonly string[]) {
  return graphRefusal('changed_since', { ids: [...new Set(ids)].slice(0, 20) })
}
