import Table from 'cli-table3'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { colors, toLine } from './output.ts'
import { toLocalTime } from './times.ts'

/** A JSON object of a reply. */
export type Row = Readonly<Record<string, unknown>>

/** The columns of a table: a heading, and the field or the function that gives the cell. */
export type Columns = Readonly<Record<string, string | ((row: Row) => unknown)>>

/** Programs that read the output need more of a text than a person at a terminal. */
const maxCellLength = process.stdout.isTTY ? 60 : 1000
const maxInferredColumns = 6

const borders = 'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right'
const lines = 'left left-mid mid mid-mid right right-mid'
const bare = Object.fromEntries(`${borders} ${lines}`.split(' ').map((name) => [name, '']))

export function renderTable(head: readonly string[], rows: readonly string[][]): string {
  const table = new Table({
    head: head.map(colors.dim),
    chars: { ...bare, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  table.push(...rows.map((row) => row.map(neutralize)))
  return table.toString()
}

export function renderRows(
  rows: readonly Row[],
  columns = inferColumns(rows),
  width = process.stdout.columns,
): string {
  const head = Object.keys(columns)
  const cells = rows.map((row) =>
    Object.values(columns).map((column) =>
      toLine(toText(typeof column === 'string' ? row[column] : column(row)), maxCellLength),
    ),
  )
  return renderTable(head, width ? cutToWidth(head, cells, width) : cells)
}

/** A table with less text than this says nothing. */
const minTextLength = 20
const gap = 2

/** Cuts the longest column of texts of several words. Ids, names and paths stay whole. */
function cutToWidth(
  head: readonly string[],
  rows: readonly string[][],
  width: number,
): readonly string[][] {
  const widths = head.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => (row[at] ?? '').length)),
  )
  const total = widths.reduce((sum, length) => sum + length + gap, -gap)
  const texts = head.map((_, at) => rows.some((row) => (row[at] ?? '').includes(' ')))
  const longest = Math.max(...widths.filter((_, at) => texts[at]))
  const length = Math.max(minTextLength, longest - (total - width))
  if (total <= width || length >= longest) return rows
  const cut = widths.findIndex((one, at) => texts[at] && one === longest)
  return rows.map((row) => row.map((cell, at) => (at === cut ? toLine(cell, length) : cell)))
}

/** The first fields that are plain values. */
function inferColumns([first = {}]: readonly Row[]): Columns {
  const names = Object.entries(first).filter(([, value]) => Object(value) !== value)
  return Object.fromEntries(names.slice(0, maxInferredColumns).map(([name]) => [name, name]))
}

/** One line a field; null and empty fields are left out. */
export function renderDetail(row: Row): string {
  return Object.entries(row)
    .filter(([, value]) => toText(value) !== '')
    .map(([name, value]) => `${colors.dim(toLabel(name).padEnd(18))} ${neutralize(toText(value))}`)
    .join('\n')
}

/** `lastPassAt` and `last_pass_at` become `last pass at`. */
function toLabel(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? toListText(value) : toLocalTime(String(value))
}

/** Plain values of an object with their names, such as `artifacts 22, chunks 40`. */
function toListText(value: object): string {
  const cells = Object.values(value)
  if (cells.some((cell) => Object(cell) === cell)) return JSON.stringify(value)
  if (Array.isArray(value)) return cells.map(toText).join(', ')
  return Object.entries(value)
    .filter(([, cell]) => toText(cell) !== '')
    .map(([name, cell]) => `${toLabel(name)} ${toText(cell)}`)
    .join(', ')
}

/** The field of a reply that holds its list of objects; undefined if it has none or several. */
export function findListField(reply: Row): string | undefined {
  const lists = Object.entries(reply).filter(([, value]) => Array.isArray(value))
  const [[name] = []] = lists
  return lists.length === 1 ? name : undefined
}

export function toRows(list: unknown): readonly Row[] {
  return Array.isArray(list) ? list.map((row) => (Object(row) === row ? row : { value: row })) : []
}
