import { dequantize } from '../../quantize.ts'
import { adopt, createGrowableArray, type GrowableArray, push, reserve } from '../growable-array.ts'
import { type BlockSnapshot, createBlockSnapshots, rowsPerBlock } from './block-layout.ts'

import { nextCentroidAt, updateCentroid } from './centroid.ts'
import type { ScanHelper } from './helper/scan-helper.ts'
import { type NearestVectors, nearestNeighbours, type TopKRequest } from './nearest-neighbours.ts'
import { createRowMemory } from './row-memory.ts'
import { blockOf, findRow, noRow, type VectorRows } from './rows.ts'
import { createScanner } from './scanner.ts'

/** The vectors of one model. Passage 0 is the whole text; its parts count from 1. */
export interface VectorSpace {
  readonly dims: number
  rows(): number
  put(slot: number, passage: number, vector: Float32Array): void
  /** Moves the vectors of a slot to an empty slot. */
  move(from: number, to: number): void
  /** Drops the vectors of a slot from a passage on; all by default. */
  drop(slot: number, fromPassage?: number): void
  vectorOf(slot: number): Float32Array | undefined
  /** The result is valid until the next search. */
  search(query: Float32Array, request: TopKRequest): NearestVectors
  /** A search in two steps; the helper works in between. */
  beginSearch(query: Float32Array, helper?: ScanHelper): (request: TopKRequest) => NearestVectors
  /** Copies the current state. */
  dump(): VectorsDump
}

/** Row data; the slot of a free row is -1. */
interface SerializedRows {
  readonly slots: Int32Array
  readonly passages: Int32Array
}

export interface VectorsDump extends SerializedRows {
  readonly blocks: BlockSnapshot
  readonly centroid: Float32Array
}

export interface SerializedVectors extends SerializedRows {
  readonly centroid: Float32Array
  /** Fills a block with its stored bytes. */
  readonly fill: (block: number, into: Uint8Array) => void
}

export function createVectorSpace(dims: number, serialized?: SerializedVectors): VectorSpace {
  const integers = () => createGrowableArray((length) => new Int32Array(length))
  const vectors = createRowMemory(dims)
  const rows: VectorRows = {
    vectors,
    scanner: createScanner(vectors),
    free: [],
    slots: integers(),
    passages: integers(),
    next: integers(),
    first: createGrowableArray((length) => new Int32Array(length).fill(noRow)),
    snapshots: createBlockSnapshots({
      make: () => new Uint8Array(vectors.layout.storedBytes),
      copy: (block, into) => into.set(vectors.block(block)),
    }),
  }
  if (serialized) restoreRows(rows, serialized)
  let centreAt = nextCentroidAt(rows.slots.length)
  return {
    dims,
    rows: () => rows.slots.length - rows.free.length,
    put: (slot, passage, vector) => {
      const row = findRow(rows, slot, passage) ?? addRow(rows, slot, passage)
      rows.snapshots.beforeWrite(blockOf(row))
      vectors.write(row, vector.subarray(0, dims))
      if (rows.slots.length < centreAt) return
      centreAt = nextCentroidAt(rows.slots.length)
      updateCentroid(rows)
    },
    move: (from, to) => move(rows, from, to),
    drop: (slot, fromPassage = 0) => drop(rows, slot, fromPassage),
    vectorOf: (slot) => {
      const row = findRow(rows, slot, 0)
      return row === undefined ? undefined : dequantize(vectors.read(row), dims)
    },
    search: (query, request) => beginSearch(rows, query)(request),
    beginSearch: (query, helper) => beginSearch(rows, query, helper),
    dump: () => dumpRows(rows),
  }
}

function beginSearch(rows: VectorRows, query: Float32Array, helper?: ScanHelper) {
  rows.scanner.prepare(query, helper)
  return (request: TopKRequest) => nearestNeighbours(rows, request)
}

function dumpRows({ vectors, slots, passages, snapshots }: VectorRows): VectorsDump {
  return {
    slots: slots.values.slice(0, slots.length),
    passages: passages.values.slice(0, passages.length),
    centroid: vectors.centroid.slice(),
    blocks: snapshots.create(Math.ceil(slots.length / rowsPerBlock)),
  }
}

function restoreRows(rows: VectorRows, serialized: SerializedVectors): void {
  const { vectors, slots, passages, next, first, free } = rows
  const blocks = Math.ceil(serialized.slots.length / rowsPerBlock)
  vectors.addBlocks(blocks)
  vectors.setCentroid(serialized.centroid)
  for (let block = 0; block < blocks; block++) serialized.fill(block, vectors.block(block))
  adopt(slots, serialized.slots)
  adopt(passages, serialized.passages)
  adopt(next, new Int32Array(serialized.slots.length).fill(noRow))
  for (let row = 0; row < serialized.slots.length; row++) {
    const slot = serialized.slots[row] as number
    if (serialized.passages[row] !== 0) vectors.setKind(row, true)
    if (slot === noRow) free.push(row)
    else {
      setLength(first, slot)
      next.values[row] = first.values[slot] as number
      first.values[slot] = row
    }
  }
}

function addRow(rows: VectorRows, slot: number, passage: number): number {
  const { slots, passages, next, first } = rows
  const row = rows.free.pop() ?? appendRow(rows)
  rows.vectors.setKind(row, passage !== 0)
  setLength(first, slot)
  slots.values[row] = slot
  passages.values[row] = passage
  next.values[row] = first.values[slot] ?? noRow
  first.values[slot] = row
  return row
}

function appendRow({ vectors, slots, passages, next }: VectorRows): number {
  const row = slots.length
  if (row % rowsPerBlock === 0) vectors.addBlocks()
  for (const column of [slots, passages, next]) push(column, noRow)
  return row
}

function setLength(first: GrowableArray<Int32Array>, slot: number): void {
  reserve(first, slot + 1 - first.length)
  first.length = Math.max(first.length, slot + 1)
}

function move({ first, next, slots }: VectorRows, from: number, to: number): void {
  if (from >= first.length) return
  const head = first.values[from] ?? noRow
  setLength(first, to)
  first.values[to] = head
  first.values[from] = noRow
  for (let row = head; row !== noRow; row = next.values[row] ?? noRow) slots.values[row] = to
}

function drop(rows: VectorRows, slot: number, from: number): void {
  const { first, next, slots, passages, free } = rows
  if (slot >= first.length) return
  let serialized = noRow
  for (let row = first.values[slot] ?? noRow; row !== noRow; ) {
    const following = next.values[row] ?? noRow
    if ((passages.values[row] ?? 0) < from) {
      next.values[row] = serialized
      serialized = row
    } else {
      slots.values[row] = noRow
      clear(rows, row)
      free.push(row)
    }
    row = following
  }
  first.values[slot] = serialized
}

/** Free rows are part of snapshots, too. */
function clear(rows: VectorRows, row: number): void {
  rows.snapshots.beforeWrite(blockOf(row))
  rows.vectors.write(row, new Float32Array(0))
}
