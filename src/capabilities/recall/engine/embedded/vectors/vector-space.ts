import { createGrowing, type Growing, push, reserve } from '../growing.ts'
import { multiply, type Quantised, quantise, restore } from './quantise.ts'
import { createScanner, rowsPerBlock, type Scanner } from './scanner.ts'

const none = -1
/** How many of the best are compared again, exactly. */
const comparedAgain = 100

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
  search(query: Float32Array, mask: Uint8Array): Nearness
  /** For snapshots, with every slot as it is numbered there. */
  dump(renumber: (slot: number) => number): KeptVectors
}

/** By slot, the cosine of the whole text and of its best passage; 0 where there is none. */
export interface Nearness {
  readonly whole: Float32Array
  readonly passage: Float32Array
}

/** Rows one after another, in whole blocks; the slot of one that is free is -1. */
export interface KeptVectors {
  readonly slots: Int32Array
  readonly passages: Int32Array
  readonly scales: Float32Array
  readonly bytes: Int8Array
  readonly rests: Int8Array
}

interface Rows {
  readonly scanner: Scanner
  readonly rests: Int8Array[]
  readonly slots: Growing<Int32Array>
  readonly passages: Growing<Int32Array>
  /** The next row of the same slot. */
  readonly next: Growing<Int32Array>
  /** The first row of a slot. */
  readonly first: Growing<Int32Array>
  readonly free: number[]
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
    search: (query, mask) => search(rows, query, mask),
    dump: (renumber) => dumpRows(rows, renumber),
  }
}

function search(rows: Rows, query: Float32Array, mask: Uint8Array): Nearness {
  const { scanner, slots } = rows
  const near = { whole: new Float32Array(mask.length), passage: new Float32Array(mask.length) }
  const best = createBest(comparedAgain)
  scanner.prepare(query)
  for (let from = 0; from < slots.length; from += rowsPerBlock) {
    const products = scanner.scan(from / rowsPerBlock)
    for (const row of takeNearer({ rows, mask, near, least: best.least() }, from, products))
      best.add(row, products[row - from] ?? 0)
  }
  const again = best.rows()
  for (const row of again) nearOf(rows, near, row)[slots.values[row] ?? 0] = 0
  for (const row of again) {
    const nearest = nearOf(rows, near, row)
    const slot = slots.values[row] ?? 0
    nearest[slot] = Math.max(nearest[slot] ?? 0, multiply(readRow(rows, row), query))
  }
  return near
}

interface Taking {
  readonly rows: Rows
  readonly mask: Uint8Array
  readonly near: Nearness
  readonly least: number
}

/** Gives the rows of the block that may be among the best. */
function takeNearer(
  { rows, mask, near: { whole, passage }, least }: Taking,
  from: number,
  products: Float32Array,
): number[] {
  const slots = rows.slots.values
  const passages = rows.passages.values
  const to = Math.min(rowsPerBlock, rows.slots.length - from)
  const promising: number[] = []
  for (let within = 0; within < to; within++) {
    const slot = slots[from + within] as number
    const product = products[within] as number
    if (product <= 0 || mask[slot] !== 1) continue
    const nearest = passages[from + within] === 0 ? whole : passage
    if (product > (nearest[slot] as number)) nearest[slot] = product
    if (product > least) promising.push(from + within)
  }
  return promising
}

function nearOf({ passages }: Rows, { whole, passage }: Nearness, row: number): Float32Array {
  return passages.values[row] === 0 ? whole : passage
}

/** The rows with the largest products, in no order. */
function createBest(count: number) {
  const rows = new Int32Array(count)
  const products = new Float32Array(count).fill(Number.NEGATIVE_INFINITY)
  let worst = 0
  return {
    least: () => products[worst] ?? 0,
    add: (row: number, product: number) => {
      if (product <= (products[worst] ?? 0)) return
      rows[worst] = row
      products[worst] = product
      for (let at = 0; at < count; at++)
        if ((products[at] ?? 0) < (products[worst] ?? 0)) worst = at
    },
    rows: () => rows.filter((_, at) => products[at] !== Number.NEGATIVE_INFINITY),
  }
}

function readRow(rows: Rows, row: number): Quantised {
  return {
    bytes: rows.scanner.row(row),
    rest: restOf(rows, row),
    scale: rows.scanner.scale(row),
  }
}

function dumpRows(rows: Rows, renumber: (slot: number) => number): KeptVectors {
  const { scanner, rests, slots, passages } = rows
  const { stride } = scanner
  const kept = {
    slots: slots.values
      .slice(0, slots.length)
      .map((slot) => (slot === none ? none : renumber(slot))),
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
    rests.push(kept.rests.slice(block * blockBytes, (block + 1) * blockBytes))
  }
  for (const [row, slot] of kept.slots.entries()) {
    push(slots, slot)
    push(passages, kept.passages[row] ?? 0)
    push(next, none)
    if (slot === none) free.push(row)
    else {
      setLength(first, slot)
      next.values[row] = first.values[slot] ?? none
      first.values[slot] = row
    }
  }
}

function findRow({ first, next, passages }: Rows, slot: number, passage: number) {
  if (slot >= first.length) return undefined
  for (let row = first.values[slot] ?? none; row !== none; row = next.values[row] ?? none)
    if (passages.values[row] === passage) return row
  return undefined
}

function addRow(rows: Rows, slot: number, passage: number): number {
  const { slots, passages, next, first } = rows
  const row = rows.free.pop() ?? appendRow(rows)
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

function restOf({ rests, scanner }: Rows, row: number): Int8Array {
  const from = (row % rowsPerBlock) * scanner.stride
  const rest = rests[Math.floor(row / rowsPerBlock)] ?? new Int8Array(0)
  return rest.subarray(from, from + scanner.stride)
}

function move({ first, next, slots }: Rows, from: number, to: number): void {
  if (from >= first.length) return
  const head = first.values[from] ?? none
  setLength(first, to)
  first.values[to] = head
  first.values[from] = none
  for (let row = head; row !== none; row = next.values[row] ?? none) slots.values[row] = to
}

function drop({ first, next, slots, passages, free }: Rows, slot: number, from: number): void {
  if (slot >= first.length) return
  let kept = none
  for (let row = first.values[slot] ?? none; row !== none; ) {
    const following = next.values[row] ?? none
    if ((passages.values[row] ?? 0) < from) {
      next.values[row] = kept
      kept = row
    } else {
      slots.values[row] = none
      free.push(row)
    }
    row = following
  }
  first.values[slot] = kept
}
