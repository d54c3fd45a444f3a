import type { GrowableArray } from '../growable-array.ts'
import { rowsPerBlock } from './block-layout.ts'
import type { createBlockSnapshots } from './block-snapshot.ts'
import type { RowMemory } from './row-memory.ts'
import type { Scanner } from './scanner.ts'

export const noRow = -1

/** The vectors of a space, one after another; those of one slot are a list. */
export interface VectorRows {
  readonly vectors: RowMemory
  readonly scanner: Scanner
  /** By row; the slot of one that is free is -1. */
  readonly slots: GrowableArray<Int32Array>
  readonly passages: GrowableArray<Int32Array>
  /** The next row of the same slot. */
  readonly next: GrowableArray<Int32Array>
  /** The first row of a slot. */
  readonly first: GrowableArray<Int32Array>
  readonly free: number[]
  /** To be told before the vector of a row is written. */
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
