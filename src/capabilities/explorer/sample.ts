import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import { findBlockedReason, withoutShadows } from './catalogue.ts'
import type { ExplorerNeeds } from './needs.ts'
import type { CountTable } from './read-schema.ts'
import type { sampleQuery, sampleReply } from './schemas.ts'
import { readCatalogue, runReadOnly, selectRows } from './store/rows.ts'

const maxCellLength = 2_000
/** Longer than a credential, so that the cut leaves no part of one. */
const maxRedactedLength = 8_000
const maxRowLength = 65_536
const maxShortCellLength = 200
/** Rows that are cleaned before other work continues. */
const batchSize = 10

interface SampleRequest extends z.output<typeof sampleQuery> {
  readonly table: string
}

/** Reads some rows with credentials removed. The name is compared with the catalogue. */
export async function readSample(
  { background }: ExplorerNeeds,
  count: CountTable,
  { table: name, limit, offset }: SampleRequest,
): Promise<z.input<typeof sampleReply>> {
  const catalogue = withoutShadows(await readCatalogue(background))
  const table = catalogue.find((each) => each.name === name)
  if (!table) throw new Refusal('not_found', 'table_not_found', 'The database has no such table.')
  const reason = findBlockedReason(table)
  if (reason !== undefined)
    throw new Refusal('invalid', 'table_blocked', `Rows of ${table.name} are not shown. ${reason}`)
  const page = { limit: limit + 1, offset }
  const rows = await runReadOnly(background, (db) => selectRows(db, table, page))
  const sampledRows: Record<string, unknown>[] = []
  for (const row of rows.slice(0, limit)) {
    sampledRows.push(toShownRow(row))
    if (sampledRows.length % batchSize === 0) await setImmediate()
  }
  const { rowCount } = await count(table.name)
  return {
    table: table.name,
    columns: table.columns.map((column) => column.name),
    rows: sampledRows,
    limit,
    offset,
    rowCount,
    hasMore: rows.length > limit,
  }
}

function toShownRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const cells = toCells(row, maxCellLength)
  return JSON.stringify(cells).length <= maxRowLength ? cells : toCells(row, maxShortCellLength)
}

function toCells(row: Readonly<Record<string, unknown>>, maxLength: number) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, toCell(value, maxLength)]),
  )
}

/** The text form of a vector. */
const vectorText = /^\[-?\d[\d.eE+-]*(,-?\d[\d.eE+-]*){7}/

function toCell(value: unknown, maxLength: number): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof Uint8Array) return `[blob ${value.byteLength} bytes]`
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (vectorText.test(text)) return `[blob ${text.length} bytes]`
  const clean = toCleanText(text.slice(0, maxRedactedLength))
  const isCut = clean.length > maxLength || text.length > maxRedactedLength
  return isCut ? `${sliceText(clean, 0, maxLength)}…` : clean
}
