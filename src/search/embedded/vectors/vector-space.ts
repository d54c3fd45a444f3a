import { restore } from '../../quantize.ts'
import { adopt, createGrowableArray, type GrowableArray, push, reserve } from '../growable-array.ts'
import { rowsPerBlock } from './block-layout.ts'
import { createBlockHolds, type HeldBlocks } from './block-snapshot.ts'
import { findCentre, nextCentreAt } from './centroid.ts'
import type { ScanHelper } from './helper/scan-helper.ts'
import { findNear, type Nearness, type Wanted } from './nearest-neighbours.ts'
import { createRowMemory } from './row-memory.ts'
import { blockOf, findRow, none, type Rows } from './rows.ts'
import { createScanner } from './scanner.ts'

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
  search(query: Float32Array, wanted: Wanted): Nearness
  /** The same in two steps: between them the helper goes ahead. */
  beginSearch(query: Float32Array, helper?: ScanHelper): (wanted: Wanted) => Nearness
  /** As it is now. */
  dump(): DumpedVectors
}

/** Rows one after another; the slot of one that is free is -1. */
interface KeptRows {
  readonly slots: Int32Array
  readonly passages: Int32Array
}

export interface DumpedVectors extends KeptRows {
  readonly blocks: HeldBlocks
  readonly centre: Float32Array
}

export interface KeptVectors extends KeptRows {
  readonly centre: Float32Array
  /** Fills a block as it was told. */
  readonly fill: (block: number, into: Uint8Array) => void
}

export function createVectorSpace(dims: number, kept?: KeptVectors): VectorSpace {
  const integers = () => createGrowableArray((length) => new Int32Array(length))
  const vectors = createRowMemory(dims)
  const rows: Rows = {
    ...{ vectors, scanner: createScanner(vectors), free: [] },
    ...{ slots: integers(), passages: integers(), next: integers() },
    first: createGrowableArray((length) => new Int32Array(length).fill(none)),
    holds: createBlockHolds({
      make: () => new Uint8Array(vectors.places.writtenBytes),
      copy: (block, into) => into.set(vectors.block(block)),
    }),
  }
  if (kept) restoreRows(rows, kept)
  let centreAt = nextCentreAt(rows.slots.length)
  return {
    dims,
    rows: () => rows.slots.length - rows.free.length,
    put: (slot, passage, vector) => {
      const row = findRow(rows, slot, passage) ?? addRow(rows, slot, passage)
      rows.holds.beforeChange(blockOf(row))
      vectors.write(row, vector.subarray(0, dims))
      if (rows.slots.length < centreAt) return
      centreAt = nextCentreAt(rows.slots.length)
      findCentre(rows)
    },
    move: (from, to) => move(rows, from, to),
    drop: (slot, fromPassage = 0) => drop(rows, slot, fromPassage),
    vectorOf: (slot) => {
      const row = findRow(rows, slot, 0)
      return row === undefined ? undefined : restore(vectors.read(row), dims)
    },
    search: (query, wanted) => beginSearch(rows, query)(wanted),
    beginSearch: (query, helper) => beginSearch(rows, query, helper),
    dump: () => dumpRows(rows),
  }
}

function beginSearch(rows: Rows, query: Float32Array, helper?: ScanHelper) {
  rows.scanner.prepare(query, helper)
  return (wanted: Wanted) => findNear(rows, wanted)
}

function dumpRows({ vectors, slots, passages, holds }: Rows): DumpedVectors {
  return {
    slots: slots.values.slice(0, slots.length),
    passages: passages.values.slice(0, passages.length),
    centre: vectors.centre.slice(),
    blocks: holds.hold(Math.ceil(slots.length / rowsPerBlock)),
  }
}

function restoreRows(rows: Rows, kept: KeptVectors): void {
  const { vectors, slots, passages, next, first, free } = rows
  const blocks = Math.ceil(kept.slots.length / rowsPerBlock)
  vectors.addBlocks(blocks)
  vectors.setCentre(kept.centre)
  for (let block = 0; block < blocks; block++) kept.fill(block, vectors.block(block))
  adopt(slots, kept.slots)
  adopt(passages, kept.passages)
  adopt(next, new Int32Array(kept.slots.length).fill(none))
  for (let row = 0; row < kept.slots.length; row++) {
    const slot = kept.slots[row] as number
    if (kept.passages[row] !== 0) vectors.setKind(row, true)
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
  rows.vectors.setKind(row, passage !== 0)
  setLength(first, slot)
  slots.values[row] = slot
  passages.values[row] = passage
  next.values[row] = first.values[slot] ?? none
  first.values[slot] = row
  return row
}

function appendRow({ vectors, slots, passages, next }: Rows): number {
  const row = slots.length
  if (row % rowsPerBlock === 0) vectors.addBlocks()
  for (const column of [slots, passages, next]) push(column, none)
  return row
}

function setLength(first: GrowableArray<Int32Array>, slot: number): void {
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
  rows.holds.beforeChange(blockOf(row))
  rows.vectors.write(row, new Float32Array(0))
}
