import { quantise, restore } from '../../vectors/quantise.ts'
import { createGrowing, type Growing, push, reserve, take } from '../growing.ts'
import { findNear, type Nearness } from './nearness.ts'
import { findRow, none, type Rows, readRow, restOf } from './rows.ts'
import { createScanner, rowsPerBlock } from './scanner.ts'

/** The vectors of one identity: of a slot the whole text is passage 0, its parts are counted from 1. */
export interface VectorSpace {
  readonly dims: number
  rows(): number
  put(slot: number, passage: number, vector: Float32Array): void
  /** What a slot has goes to another, which has none. */
  move(from: number, to: number): void
  /** Those of the slot from a passage on; all, unless said otherwise. */
  drop(slot: number, fromPassage?: number): void
  vectorOf(slot: number): Float32Array | undefined
  /** What it gives holds until the next search. */
  search(
    query: Float32Array,
    wanted: { readonly mask: Uint8Array; readonly count: number },
  ): Nearness
  /** For snapshots, with the number that every slot has there. */
  dump(renumbered: Int32Array): KeptVectors
}

/** Rows one after another, in whole blocks; the slot of one that is free is -1. */
export interface KeptVectors {
  readonly slots: Int32Array
  readonly passages: Int32Array
  readonly scales: Float32Array
  readonly bytes: Int8Array
  readonly rests: Int8Array
}

export function createVectorSpace(dims: number, kept?: KeptVectors): VectorSpace {
  const integers = () => createGrowing((length) => new Int32Array(length))
  const rows: Rows = {
    scanner: createScanner(dims),
    rests: [],
    ...{ slots: integers(), passages: integers(), next: integers() },
    first: createGrowing((length) => new Int32Array(length).fill(none)),
    free: [],
  }
  if (kept) restoreRows(rows, kept)
  return {
    dims,
    rows: () => rows.slots.length - rows.free.length,
    put: (slot, passage, vector) => {
      const row = findRow(rows, slot, passage) ?? addRow(rows, slot, passage)
      const rest = restOf(rows, row)
      rows.scanner.setScale(row, quantise(vector.subarray(0, dims), rows.scanner.row(row), rest))
    },
    move: (from, to) => move(rows, from, to),
    drop: (slot, fromPassage = 0) => drop(rows, slot, fromPassage),
    vectorOf: (slot) => {
      const row = findRow(rows, slot, 0)
      return row === undefined ? undefined : restore(readRow(rows, row), dims)
    },
    search: (query, wanted) => findNear(rows, query, wanted),
    dump: (renumbered) => dumpRows(rows, renumbered),
  }
}

function dumpRows(rows: Rows, renumbered: Int32Array): KeptVectors {
  const { scanner, rests, slots, passages } = rows
  const { stride } = scanner
  const kept = {
    slots: slots.values.slice(0, slots.length).map((slot) => renumbered[slot] ?? none),
    passages: passages.values.slice(0, passages.length),
    scales: new Float32Array(rests.length * rowsPerBlock),
    bytes: new Int8Array(rests.length * rowsPerBlock * stride),
    rests: new Int8Array(rests.length * rowsPerBlock * stride),
  }
  for (const [block, rest] of rests.entries()) {
    const { rows: bytes, scales } = scanner.block(block)
    kept.scales.set(scales, block * rowsPerBlock)
    kept.bytes.set(bytes, block * rowsPerBlock * stride)
    kept.rests.set(rest, block * rowsPerBlock * stride)
  }
  return kept
}

function restoreRows(rows: Rows, kept: KeptVectors): void {
  const { scanner, rests, slots, passages, next, first, free } = rows
  const blockBytes = rowsPerBlock * scanner.stride
  for (let block = 0; block * rowsPerBlock < kept.slots.length; block++) {
    scanner.addBlock()
    const { rows: bytes, scales } = scanner.block(block)
    scales.set(kept.scales.subarray(block * rowsPerBlock, (block + 1) * rowsPerBlock))
    bytes.set(kept.bytes.subarray(block * blockBytes, (block + 1) * blockBytes))
    rests.push(kept.rests.subarray(block * blockBytes, (block + 1) * blockBytes))
  }
  take(slots, kept.slots)
  take(passages, kept.passages)
  take(next, new Int32Array(kept.slots.length).fill(none))
  for (let row = 0; row < kept.slots.length; row++) {
    const slot = kept.slots[row] as number
    if (kept.passages[row] !== 0) scanner.setKind(row, true)
    if (slot === none) free.push(row)
    else {
      setLength(first, slot)
      next.values[row] = first.values[slot] as number
      first.values[slot] = row
    }
  }
}

function addRow(rows: Rows, slot: number, passage: number): number {
  const { slots, passages, next, first } = rows
  const row = rows.free.pop() ?? appendRow(rows)
  rows.scanner.setKind(row, passage !== 0)
  setLength(first, slot)
  slots.values[row] = slot
  passages.values[row] = passage
  next.values[row] = first.values[slot] ?? none
  first.values[slot] = row
  return row
}

function appendRow({ scanner, rests, slots, passages, next }: Rows): number {
  const row = slots.length
  if (row % rowsPerBlock === 0) {
    scanner.addBlock()
    rests.push(new Int8Array(rowsPerBlock * scanner.stride))
  }
  for (const column of [slots, passages, next]) push(column, none)
  return row
}

function setLength(first: Growing<Int32Array>, slot: number): void {
  reserve(first, slot + 1 - first.length)
  first.length = Math.max(first.length, slot + 1)
}

function move({ first, next, slots }: Rows, from: number, to: number): void {
  if (from >= first.length) return
  const head = first.values[from] ?? none
  setLength(first, to)
  first.values[to] = head
  first.values[from] = none
  for (let row = head; row !== none; row = next.values[row] ?? none) slots.values[row] = to
}

function drop(rows: Rows, slot: number, from: number): void {
  const { first, next, slots, passages, free } = rows
  if (slot >= first.length) return
  let kept = none
  for (let row = first.values[slot] ?? none; row !== none; ) {
    const following = next.values[row] ?? none
    if ((passages.values[row] ?? 0) < from) {
      next.values[row] = kept
      kept = row
    } else {
      slots.values[row] = none
      clear(rows, row)
      free.push(row)
    }
    row = following
  }
  first.values[slot] = kept
}

/** A row that is free is a part of snapshots all the same. */
function clear(rows: Rows, row: number): void {
  rows.scanner.row(row).fill(0)
  restOf(rows, row).fill(0)
}
