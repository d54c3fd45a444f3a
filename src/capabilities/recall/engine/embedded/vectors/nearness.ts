import { type BestSlots, createBestSlots } from '../../ranking/best-slots.ts'
import { multiply } from '../../vectors/quantise.ts'
import { firstRow, none, type Rows, readRow } from './rows.ts'
import { rowsPerBlock } from './scanner.ts'

/** How many of the best are compared again, exactly. */
const comparedAgain = 100

/** How near texts are to a query, as a whole and by their best passages; 0 where there is no vector. */
export interface Nearness {
  /** The nearest slots, the nearest first. */
  readonly nearest: { readonly whole: readonly number[]; readonly passage: readonly number[] }
  /** Cosines by slot. */
  whole(slot: number): number
  passage(slot: number): number
}

interface Wanted {
  readonly mask: Uint8Array
  /** How many of each kind. */
  readonly count: number
}

export function findNear(rows: Rows, query: Float32Array, wanted: Wanted): Nearness {
  const { scanner } = rows
  scanner.prepare(query)
  for (let from = 0; from < rows.slots.length; from += rowsPerBlock)
    scanner.scan(from / rowsPerBlock)
  const best = findBest(rows, wanted)
  const exact = new Map(
    best.rows
      .slots()
      .map((row) => [row, Math.fround(multiply(readRow(rows, row), query))] as const),
  )
  const whole = (slot: number) => cosineOf(rows, exact, { slot, isWhole: true })
  const passage = (slot: number) => cosineOf(rows, exact, { slot, isWhole: false })
  const nearest = {
    whole: order(best.whole, whole, wanted.count),
    passage: order(best.passage, passage, wanted.count),
  }
  return { nearest, whole, passage }
}

interface Best {
  readonly rows: BestSlots
  readonly whole: BestSlots
  readonly passage: BestSlots
}

/** By what was scanned. Of the slots so many more that what is compared again may take other places. */
function findBest(rows: Rows, { mask, count }: Wanted): Best {
  const best = {
    rows: createBestSlots(comparedAgain),
    whole: createBestSlots(count + comparedAgain),
    passage: createBestSlots(count + comparedAgain),
  }
  for (let from = 0; from < rows.slots.length; from += rowsPerBlock)
    offerBlock(rows, { best, mask }, from)
  return best
}

function offerBlock(rows: Rows, { best, mask }: { best: Best; mask: Uint8Array }, from: number) {
  const products = rows.scanner.products(from / rowsPerBlock)
  const slots = rows.slots.values
  const passages = rows.passages.values
  const to = Math.min(rowsPerBlock, rows.slots.length - from)
  let least = leastOf(best)
  for (let within = 0; within < to; within++) {
    const product = products[within] as number
    const row = from + within
    const isWhole = passages[row] === 0
    const slot = slots[row] as number
    if (product < (isWhole ? least.whole : least.passage) || mask[slot] !== 1) continue
    best.rows.offer(row, product)
    const kind = isWhole ? best.whole : best.passage
    if (isBestOfSlot(rows, slot, row)) kind.offer(slot, product)
    least = leastOf(best)
  }
}

/** What is not above zero is not near. */
function leastOf({ whole, passage }: Best) {
  const { MIN_VALUE } = Number
  return {
    whole: Math.max(MIN_VALUE, whole.least()),
    passage: Math.max(MIN_VALUE, passage.least()),
  }
}

/** Of a slot's passages one is offered, so that it is offered once. */
function isBestOfSlot(rows: Rows, slot: number, row: number): boolean {
  const { next, passages } = rows
  const product = productOf(rows, row)
  const isWhole = passages.values[row] === 0
  for (let other = firstRow(rows, slot); other !== none; other = next.values[other] as number) {
    if (other === row || (passages.values[other] === 0) !== isWhole) continue
    const rival = productOf(rows, other)
    if (rival > product || (rival === product && other > row)) return false
  }
  return true
}

interface Asked {
  readonly slot: number
  readonly isWhole: boolean
}

/** Where some of a slot's rows were compared again, they are the best it has. */
function cosineOf(
  rows: Rows,
  exact: ReadonlyMap<number, number>,
  { slot, isWhole }: Asked,
): number {
  const { next, passages, scanner } = rows
  let coarse = 0
  let fine = Number.NEGATIVE_INFINITY
  for (let row = firstRow(rows, slot); row !== none; row = next.values[row] as number) {
    if ((passages.values[row] === 0) !== isWhole) continue
    coarse = Math.max(coarse, productOf(rows, row))
    fine = Math.max(fine, exact.get(row) ?? Number.NEGATIVE_INFINITY)
  }
  if (fine !== Number.NEGATIVE_INFINITY) return Math.max(0, fine)
  return Math.fround(coarse * scanner.queryScale())
}

function productOf({ scanner }: Rows, row: number): number {
  return scanner.products(Math.floor(row / rowsPerBlock))[row % rowsPerBlock] as number
}

function order(slots: BestSlots, cosine: (slot: number) => number, count: number): number[] {
  const best = createBestSlots(count)
  for (const slot of slots.slots()) best.offer(slot, cosine(slot))
  return best.slots()
}
