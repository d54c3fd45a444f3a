import type { Quantised } from '../../vectors/quantise.ts'
import type { Growing } from '../growing.ts'
import { rowsPerBlock } from './block-places.ts'
import type { createBlockHolds } from './held-blocks.ts'
import type { Scanner } from './scanner.ts'

export const none = -1

/** The vectors of a space, one after another; those of one slot are a list. */
export interface Rows {
  readonly scanner: Scanner
  /** What the scanned bytes leave out, by block. */
  readonly rests: Int8Array[]
  /** By row; the slot of one that is free is -1. */
  readonly slots: Growing<Int32Array>
  readonly passages: Growing<Int32Array>
  /** The next row of the same slot. */
  readonly next: Growing<Int32Array>
  /** The first row of a slot. */
  readonly first: Growing<Int32Array>
  readonly free: number[]
  /** To be told before the vector of a row is written. */
  readonly holds: ReturnType<typeof createBlockHolds>
}

export function findRow(rows: Rows, slot: number, passage: number): number | undefined {
  for (let row = firstRow(rows, slot); row !== none; row = rows.next.values[row] ?? none)
    if (rows.passages.values[row] === passage) return row
  return undefined
}

export function blockOf(row: number): number {
  return Math.floor(row / rowsPerBlock)
}

export function firstRow({ first }: Rows, slot: number): number {
  return slot < first.length ? (first.values[slot] as number) : none
}

export function readRow(rows: Rows, row: number): Quantised {
  const { scanner } = rows
  return { bytes: scanner.row(row), rest: restOf(rows, row), scale: scanner.scale(row) }
}

export function restOf({ rests, scanner }: Rows, row: number): Int8Array {
  const from = (row % rowsPerBlock) * scanner.stride
  const rest = rests[blockOf(row)] ?? new Int8Array(0)
  return rest.subarray(from, from + scanner.stride)
}
