import { hash } from 'node:crypto'
import type { Change, Image } from '../store/images.ts'

/** Columns that follow from other rows or from the state of the evidence. */
export const derivedColumns = ['withheldAt', 'lostAt', 'mentions', 'memoryId', 'visibility']

/** The part of a change that its undo needs. */
export interface UndoImage extends Pick<Change, 'table' | 'rowId'> {
  /** Columns with another value than before; the whole row where it was deleted. */
  readonly before: Image | null
  /** The digest of the row after the change; null where it was deleted. */
  readonly after: string | null
}

export function toUndoImage({ table, rowId, before, after }: Change): UndoImage {
  return { table, rowId, before: before && difference(before, after), after: digestOf(after) }
}

function difference(before: Image, after: Image | null): Image {
  if (!after) return before
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => after[name] !== value))
}

/** Equal rows have equal digests: the order of columns and empty columns do not count. */
export function digestOf(row: Image | null): string | null {
  if (!row) return null
  const values = Object.entries(row)
    .filter(([name, value]) => value !== null && !derivedColumns.includes(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify(values), 'base64url').slice(0, digestLength)
}

const digestLength = 22
