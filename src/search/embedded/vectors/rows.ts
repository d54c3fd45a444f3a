import type { GrowableArray } from '../growable-array.ts'
import { type createBlockSnapshots, rowsPerBlock } from './block-layout.ts'

import type { RowMemory } from './row-memory.ts'
import type { Scanner } from './scanner.ts'

export const noRow = -1

/** Rows of a vector space; the rows of a slot are a linked list. */
export interface VectorRows {
  readonly vectors: RowMemory
  readonly scanner: Scanner
  /** By row; -1 for a free row. */
  readonly slots: GrowableArray<Int32Array>
  readonly passages: GrowableArray<Int32Array>
  /** The next row of the same slot. */
  readonly next: GrowableArray<Int32Array>
  /** The first row of a slot. */
  readonly first: GrowableArray<Int32Array>
  readonly free: number[]
  /** Notified before a row is written. */
  readonly snapshots: ReturnType<typeof createBlockSnapshots>
}

export function findRow(rows: VectorRows, slot: number, passage: number): number | undefined {
  for (let row = firstRow(rows, slot); row !== noRow; row = rows.next.values[row] ?? noRow)
    if (rows.passages.values[row] === passage) return row
  return undefined
}

export function blockOf(row: number): number {
  return Math.floor(row / rowsPerBlock)
}

export function firstRow({ first }: VectorRows, slot: number): number {
  return slot < first.length ? (first.values[slot] as number) : noRow
}
